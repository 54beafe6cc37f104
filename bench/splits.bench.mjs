// How soon a key is answered on the page while four sessions side by side print without end.
import { chromium } from "playwright-core";
import { quantile, SMOKE, table, withStand } from "./stand.mjs";

export const question =
  "How soon is a key answered in one of four halves while all four flood? (goal: 95 of 100 within 50 ms, on a quiet machine)";

const GOAL_MS = 50;
const KEYS = SMOKE ? 10 : 100;
/** A person's pace. */
const PACE_MS = 80;
/** A page asks for a size after 150 ms, a session takes it after 500. */
const SIZE_MS = 1_500;
const HALVES = 4;

/** The flood scrolls below the first line, which says how many keys came. A new size forgets that, so each key says it again. */
const floodOf = (prints) => `stty raw -echo; printf '\\033[2J\\033[2r\\033[2;1HE0 '; ${prints} & n=0
while IFS= read -rn1 key; do n=$((n+1)); printf '\\0337\\033[2r\\033[1;1HE%d \\0338' $n; done`;

/** A program that is silent, to compare with; one that writes a line at a time, as most do, without end; and one that writes as much as the terminal takes. */
const FLOODS = {
  nothing: "{ seq 50; sleep 1000; }",
  "lines without end": `line="$(seq -s ' ' 20)"; { while :; do printf '%s\\r\\n' "$line"; done; }`,
  "as much as it takes": `yes "$(seq -s ' ' 20)"`,
};

/** Milliseconds from the key to the frame that shows its answer, as the page itself sees them. */
function watchKeys() {
  window.answers_ms = [];
  let asked;
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "x") asked = { at: event.timeStamp, wanted: `E${window.answers_ms.length + 1} ` };
    },
    true,
  );
  const look = () => {
    if (asked && `${window.__duetty?.rows()[0]} `.includes(asked.wanted)) {
      window.answers_ms.push(performance.now() - asked.at);
      asked = undefined;
    }
    requestAnimationFrame(look);
  };
  look();
}

async function press(page, halves) {
  const tree = (ids) =>
    ids.length === 1
      ? ids[0]
      : {
          ...{ dir: ids.length > 2 ? "row" : "column", share: 0.5 },
          first: tree(ids.slice(0, ids.length / 2)),
          second: tree(ids.slice(ids.length / 2)),
        };
  await page.evaluate(
    ([kept, focus]) => {
      sessionStorage.setItem("duetty.layout", kept);
      // Without an event: the page would go there, and keep its own layout.
      history.replaceState(null, "", `#/${focus}`);
    },
    [JSON.stringify({ tree: tree(halves), focus: halves[0], zoomed: false }), halves[0]],
  );
  await page.reload();
  await page
    .locator(".half")
    .nth(halves.length - 1)
    .waitFor();
  // A new size forgets what the first row says, so keys are pressed once the halves have theirs.
  await page.waitForFunction((rest_ms) => {
    const rows = window.__duetty?.rows() ?? [];
    if (rows.length !== window.rows_seen) [window.rows_seen, window.rows_at] = [rows.length, performance.now()];
    return rows.filter(Boolean).length > 5 && performance.now() - window.rows_at > rest_ms;
  }, SIZE_MS);
  for (let i = 0; i < KEYS; i += 1) {
    await page.keyboard.press("x");
    await page.waitForFunction((count) => window.answers_ms.length === count, i + 1, { polling: 20 });
    await page.waitForTimeout(PACE_MS);
  }
  return page.evaluate(() => window.answers_ms);
}

export async function run() {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await withStand(async ({ client }) => {
      const page = await (await browser.newContext({ viewport: { width: 1600, height: 1000 } })).newPage();
      await page.addInitScript(watchKeys);
      await page.goto((await client.login_code({})).url);
      await page.waitForURL((at) => at.pathname === "/");
      const rows = [];
      for (const [what, count] of Object.keys(FLOODS).flatMap((one) => [1, HALVES].map((many) => [one, many]))) {
        const opened = await Promise.all(
          Array.from({ length: count }, () => client.pty_open({ command: ["bash", "-c", floodOf(FLOODS[what])] })),
        );
        const ids = opened.map(({ session_id }) => session_id);
        const answers = await press(page, ids);
        const of = (q) => quantile(answers, q).toFixed(0);
        rows.push([what, count, of(0.5), of(0.95), of(1), quantile(answers, 0.95) <= GOAL_MS ? "yes" : "NO"]);
        await Promise.all(ids.map((session_id) => client.pty_close({ session_id })));
      }
      table(["each prints", "halves", "p50 ms", "p95 ms", "worst ms", "goal met"], rows);
    });
  } finally {
    await browser.close();
  }
}
