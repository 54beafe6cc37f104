// The board: every task stands in exactly one column, whoever is asked for comes first, and arrows reach every card.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Boarded, COLUMNS, columnsOf, placeOf, stepFrom, tasksIn } from "../../../web/board/columns.ts";
import { lastWords } from "../../../web/board/looks.ts";

const tree = fc.record({
  branch: fc.constant("b"),
  path: fc.constant("/t"),
  repo: fc.constant("/r"),
  changed: fc.nat(2),
  ahead: fc.nat(2),
  behind: fc.nat(2),
});
const agentState = fc.record({
  state: fc.constantFrom("starting", "working", "blocked", "idle", "done", "error", "unknown"),
  why: fc.constantFrom("", "rm -r dist"),
  source: fc.constant("status"),
  since: fc.nat(9),
});
const session: fc.Arbitrary<Boarded> = fc.record({
  session_id: fc.uuid(),
  state: fc.constantFrom("pending", "provisioning", "running", "waiting_for_input", "done", "failed", "lost"),
  agent: fc.option(fc.constant("claude")),
  agent_state: fc.option(agentState),
  waiting: fc.option(fc.constant({ kind: "line", program: "x", since: 0 })),
  running: fc.option(fc.constant({ block_id: "b", cmd: "make" })),
  integration: fc.constantFrom("bash", "none"),
  created_at: fc.nat(9),
  ended_at: fc.option(fc.nat(9)),
  worktree: fc.option(tree),
  task: fc.option(fc.constant({ text: "fix it" })),
  put_away: fc.boolean(),
  restored_as: fc.option(fc.constant("s_new"), { nil: undefined }),
}) as fc.Arbitrary<Boarded>;
const kind = fc.constantFrom("approval" as const, "password" as const, "failed" as const, "done" as const);
const needs = fc.array(fc.record({ kind, why: fc.constant("?"), since: fc.nat(9) }), { maxLength: 3 });

describe("the board", () => {
  it("has a column for every task and for nothing else", () => {
    fc.assert(
      fc.property(session, needs, (each, told) => {
        const place = placeOf(each, told);
        const isTask = each.task !== null || each.worktree !== null || each.agent !== null;
        expect(place !== undefined).toBe(isTask && each.restored_as === undefined);
        if (!place) return;
        const hasDiff = each.worktree !== null && each.worktree.changed + each.worktree.ahead > 0;
        const isOver = ["done", "failed", "lost"].includes(each.state);
        if (each.put_away) expect(place.column).toBe("away");
        else if (each.state === "failed" || each.state === "lost") expect(place.column).toBe("failed");
        else if (told.some((need) => !["done", "failed"].includes(need.kind)) && each.agent_state?.state !== "error")
          expect([place.column, place.rank, place.why]).toEqual(["waiting", 0, "?"]);
        // What works is not ready, what is over does not work, and nothing is ready without a change while it lives.
        if (place.column === "working") expect(isOver || each.agent_state?.state === "blocked").toBe(false);
        if (place.column === "ready") expect(hasDiff || each.state === "done").toBe(true);
        if (place.column === "waiting" && place.rank === 1) expect(hasDiff || place.why === "").toBe(false);
      }),
    );
  });

  it("shows all of them once, who is blocked before who is idle, the oldest first; arrows reach each", () => {
    fc.assert(
      fc.property(fc.array(session, { maxLength: 12 }), (sessions) => {
        const columns = columnsOf(sessions, () => []);
        const cards = COLUMNS.flatMap((column) => columns[column]);
        const ids = cards.map((card) => card.session.session_id);
        expect(ids.sort()).toEqual(
          sessions
            .filter((each) => placeOf(each))
            .map((each) => each.session_id)
            .sort(),
        );
        for (const column of COLUMNS) {
          const keys = columns[column].map(({ place }) => place.rank * 100 + place.since);
          expect(keys).toEqual([...keys].sort((a, b) => a - b));
        }
        const grid = COLUMNS.map((column) => columns[column].map((card) => card.session.session_id));
        const reached = new Set<string>();
        const walk = [stepFrom(grid, undefined, "ArrowDown")];
        for (let id = walk.pop(); id !== undefined; id = walk.pop()) {
          if (reached.has(id)) continue;
          reached.add(id);
          for (const arrow of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const)
            walk.push(stepFrom(grid, id, arrow));
        }
        expect([...reached].sort()).toEqual(ids.sort());
      }),
    );
  });

  it("shows the last line that says something, above an agent's prompt box", () => {
    expect(lastWords(["$ make", "error: no rule", "", ""])).toBe("error: no rule");
    const box = ["╭──────╮", "│ ❯ Try │", "╰──────╯", "  ? for shortcuts"];
    expect(lastWords(["│ Fixed the parser. │", "", ...box])).toBe("Fixed the parser.");
    expect(lastWords(["────", "❯ ", "────"])).toBe("");
  });

  it("reads tasks from a text: all of it, or one from each line", () => {
    expect(tasksIn(" a\n\n b ", "all")).toEqual(["a\n\n b"]);
    expect(tasksIn(" a\n\n b ", "line")).toEqual(["a", "b"]);
  });
});
