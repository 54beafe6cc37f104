// Homes that earlier versions left (test/fixtures/homes, recorded by scripts/record-home.mjs) are read by this one: sessions,
// screens, commands, recordings and conversations are what the earlier version itself said of them.
import fs from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Output } from "../../src/protocol/ops.ts";
import { type Stand, sharedStand } from "../fixtures/stand/stand.ts";

interface Golden {
  readonly sessions: Readonly<
    Record<
      string,
      {
        readonly session: NonNullable<Output<"status">["session"]>;
        readonly screen: Output<"pty_read_screen">;
        readonly after_first_command: Output<"pty_read_screen">;
        readonly blocks: Output<"blocks">["blocks"];
        readonly report: { readonly made_at: number };
        readonly cast: string;
        readonly text: string;
        readonly conversation: Output<"agent_events">["events"];
      }
    >
  >;
  readonly search: Output<"search">["matches"];
}

const HOMES = new URL("../fixtures/homes/", import.meta.url);
const versions = fs.readdirSync(HOMES).filter((name) => !name.startsWith("."));
/** Revisions are counted, and times are told, by the process that is asked. */
const lasting = ({ seq, ts, ...rest }: Output<"pty_read_screen">) => rest;

/** A stand whose home is a copy of a kept one. */
function keptStand(version: string, leftOut: readonly string[] = []): Stand {
  const stand = sharedStand({ daemon: "later" });
  const filter = (path: string) => !leftOut.some((name) => path.endsWith(`/${name}`));
  fs.cpSync(new URL(`${version}/state`, HOMES), stand.duetty.home.dir, { recursive: true, filter });
  return stand;
}

describe.each(versions)("a home of %s", (version) => {
  const golden: Golden = JSON.parse(fs.readFileSync(new URL(`${version}/golden.json`, HOMES), "utf8"));
  const sessions = Object.entries(golden.sessions).map(([name, recorded]) => ({ name, ...recorded }));

  /** Recordings of before have the nonce of the shell's marks. Nobody gets it any more. */
  const masked = (cast: string) => cast.replace(/duetty=[0-9a-z]{16}:/g, "duetty=xxxxxxxxxxxxxxxx:");

  describe("as it was left", () => {
    const { duetty, person } = keptStand(version);
    beforeAll(() => duetty.status());

    test("every session is listed, with how it ended", async () => {
      const listed = (await duetty.json<Output<"pty_list">>("ls", "--all")).sessions;
      expect(listed.map(({ name }) => name).sort()).toEqual(sessions.map(({ name }) => name).sort());
      expect(new Set(listed.map(({ state }) => state))).toEqual(new Set(["done", "failed", "lost"]));
    });

    test.each(sessions)("$name: state, screens and commands are the same", async ({ session, ...recorded }) => {
      const { session_id } = session;
      const { seq, ...same } = session;
      expect((await person.status({ session_id })).session).toMatchObject(same);
      const screen = await person.pty_read_screen({ session_id, scrollback: 200 });
      expect(screen).toMatchObject(lasting(recorded.screen));
      const past = await person.pty_read_screen({ session_id, at: "block:1" });
      expect(past).toMatchObject(lasting(recorded.after_first_command));
      expect((await person.blocks({ session_id })).blocks).toMatchObject(recorded.blocks);
      const { made_at, ...report } = recorded.report;
      expect(await duetty.json("report", session_id)).toMatchObject(report);
    });

    test.each(sessions)("$name: exports to the same recording and text", async ({ session, cast, text }) => {
      expect((await duetty.cli("export", session.session_id, "--cast")).stdout).toBe(masked(cast));
      expect((await duetty.cli("export", session.session_id, "--text")).stdout).toBe(text);
    });

    test.each(sessions)("$name: the conversation is the same, word for word", async ({ session, conversation }) => {
      const { events } = await person.agent_events({ session_id: session.session_id });
      expect(events).toEqual(conversation);
    });

    test.each(sessions)("$name: the deltas of its screen are read to their end", async ({ session }) => {
      const { session_id } = session;
      const size = fs.statSync(duetty.sessionFile(session_id, "screen.jsonl")).size;
      const { deltas, resume_cursor, file_size } = await person.pty_read_screen_deltas({ session_id, cursor: 0 });
      expect(deltas.length).toBeGreaterThan(0);
      expect([resume_cursor, file_size]).toEqual([size, size]);
    });

    test("search finds text where it was", async () => {
      // It was written when the oldest came first.
      expect((await person.search({ query: "note 3" })).matches.toReversed()).toEqual(golden.search);
    });

    test("the events still have what agents asked and people answered", () => {
      const { session } = golden.sessions.web ?? {};
      const events = duetty.events(session?.session_id ?? "");
      expect(events).toContain("approved");
      expect(events).toContain("denied");
    });
  });

  describe("with nothing but its journals", () => {
    const { duetty, person } = keptStand(version, ["screen.snapshot.json", "screen.jsonl", "blocks.jsonl"]);
    beforeAll(() => duetty.status());
    const kept = (id: string, name: string) =>
      JSON.parse(fs.readFileSync(new URL(`${version}/state/sessions/${id}/${name}`, HOMES), "utf8"));

    test.each(sessions)("$name: screen and commands are rebuilt as they were", async ({ session, blocks }) => {
      const { session_id } = session;
      const { rows, cursor, hash, cols, rows_count, title, alt_screen } = kept(session_id, "screen.snapshot.json");
      const screen = await person.pty_read_screen({ session_id });
      expect(screen).toMatchObject({ rows, cursor, hash, cols, rows_count, title, alt_screen });
      expect((await person.blocks({ session_id })).blocks).toMatchObject(blocks);
    });
  });

  test("has all that a home can have", () => {
    const files = fs.readdirSync(new URL(`${version}/state`, HOMES), { recursive: true }).map(String);
    for (const name of ["output.raw", "records.jsonl", "events.jsonl", "blocks.jsonl", "conversation.jsonl"])
      expect(
        files.some((file) => file.endsWith(name)),
        name,
      ).toBe(true);
    expect(sessions.map(({ session }) => session.integration).sort()).toEqual(["bash", "bash", "fish", "zsh"]);
  });
});
