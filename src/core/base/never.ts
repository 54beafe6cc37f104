// The end of every `switch` over a closed union. A new member without a case does not compile.

export function never(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
