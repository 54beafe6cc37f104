// npm run story: records docs/story.cast again, the recording that the docs page plays. duetty exports it; this adds a
// marker for each part of the story, and refuses a recording that tells anything about this machine.
import { statSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { fileURLToPath } from "node:url";
import { tellStory } from "./story/tell.mjs";

const FILE = fileURLToPath(new URL("../docs/story.cast", import.meta.url));
const BYTES_MAX = 60_000;

const marks = [];
const text = await tellStory({
  pace: 1,
  async moment(name, { person, session_id }) {
    // Names with a capital are parts of the story; others are for pictures.
    if (!/^[A-Z]/.test(name)) return;
    const { started_at } = await person.timeline({ session_id });
    marks.push({ at: (Date.now() - started_at) / 1000, name });
  },
});
const cast = withMarks(text, [...marks]);
for (const word of [homedir(), hostname(), userInfo().username])
  if (new RegExp(`\\b${word}\\b`).test(cast)) throw new Error(`the recording has "${word}" in it`);
writeFileSync(FILE, cast);
const { size } = statSync(FILE);
console.log(`${FILE}: ${size} bytes, ${marks.length} parts`);
if (size > BYTES_MAX) throw new Error(`that is more than ${BYTES_MAX}`);

/** Times in a recording count from the event before: a marker takes its share of what follows. */
function withMarks(recording, waiting) {
  const [header, ...lines] = recording.trimEnd().split("\n");
  const out = [header];
  let now = 0;
  for (const line of lines) {
    const [wait, code, data] = JSON.parse(line);
    const then = now + wait;
    for (; waiting[0] && waiting[0].at <= then; waiting.shift()) {
      const { at, name } = waiting[0];
      out.push(JSON.stringify([rounded(Math.max(0, at - now)), "m", name]));
      now = Math.max(now, at);
    }
    out.push(JSON.stringify([rounded(then - now), code, data]));
    now = then;
  }
  return `${out.join("\n")}\n`;
}

function rounded(seconds) {
  return Math.round(seconds * 1000) / 1000;
}
