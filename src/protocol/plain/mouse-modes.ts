// What makes a terminal report its mouse.

export const MOUSE_OFF = "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l";
export const MOUSE_ON = {
  none: "",
  x10: "\x1b[?9h",
  normal: "\x1b[?1000h",
  button: "\x1b[?1002h",
  any: "\x1b[?1003h",
} as const;
