// A switch for searching with a regular expression.

export type SearchKind = "text" | "pattern";

export function PatternButton(props: { kind: SearchKind; onKind(kind: SearchKind): void }) {
  const isPattern = () => props.kind === "pattern";
  return (
    <button
      type="button"
      class="pattern"
      aria-label="Regular expression"
      title="Regular expression"
      aria-pressed={isPattern()}
      onClick={() => props.onKind(isPattern() ? "text" : "pattern")}
    >
      .*
    </button>
  );
}
