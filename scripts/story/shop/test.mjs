import { total } from "./total.mjs";

const [red, green, off] = [31, 32, 0].map((code) => `\x1b[${code}m`);
const cart = [
  { price: 4, count: 1 },
  { price: 5, count: 3 },
];
const sum = total(cart);
if (sum === 19) console.log(`${green}✓ the total counts every piece${off}`);
else console.log(`${red}✗ the total counts every piece: 19 expected, got ${sum}${off}`);
process.exit(sum === 19 ? 0 : 1);
