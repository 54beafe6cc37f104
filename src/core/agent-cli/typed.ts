// What typed bytes do to an agent CLI, as far as their keys tell. Pure.

/** Escape and Ctrl+C, once or more: as bytes, by the kitty protocol with any locks, and by xterm's modifyOtherKeys. */
const INTERRUPTS =
  /^(?:\x1b\[27(?:;\d+(?::\d)?)?u|\x1b\[99(?::\d*)*;(?:5|69|133|197)(?::\d)?u|\x1b\[27;5;99~|\x1b|\x03)+$/;
/** The longest of them twice. */
const INTERRUPT_BYTES_MAX = 40;
const PASTE = [0x1b, 0x5b, 0x32, 0x30, 0x30, 0x7e];

/** Whether it may end what the agent does. Not every agent says so. */
export function interrupts(bytes: Uint8Array): boolean {
  return bytes.length <= INTERRUPT_BYTES_MAX && INTERRUPTS.test(String.fromCharCode(...bytes));
}

/** Whether text stands unfinished after these keys. Undefined: arrows, mouse and focus say nothing of it. */
export function leavesText(bytes: Uint8Array): boolean | undefined {
  const last = bytes.at(-1);
  if (last === 0x0d || last === 0x0a) return false;
  return bytes[0] !== 0x1b || PASTE.every((byte, i) => bytes[i] === byte) ? true : undefined;
}
