// What is said of a line that the shell does not take as a whole command. The page knows it by this and lets the person go on
// writing.
export const INCOMPLETE_LINE = "this command is not complete: a quote, bracket, `done` or here-document is still open";
