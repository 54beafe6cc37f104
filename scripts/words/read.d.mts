export interface Word {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}
export function wordsIn(projects: readonly string[], folder?: string): Word[];
