// The price of everything in the cart.
export function total(items) {
  return items.reduce((sum, { price }) => sum + price, 0);
}
