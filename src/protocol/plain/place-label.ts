// How people call the place of a shell inside of another program: "ssh desk", "sudo". Pure.
export function placeLabel({ kind, host }: { readonly kind: string; readonly host: string | null }): string {
  return host === null ? kind : `${kind} ${host}`;
}
