// The end of every `switch` over a closed union: a new member that nobody handles does not compile.

export function never(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
