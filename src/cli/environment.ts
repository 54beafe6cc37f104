// The environment that a person has here: what a new session begins with, and which model is asked with which key.

export function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
}
