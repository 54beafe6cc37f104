// What our engine answers, byte for byte: programs decide by it what they may send. The oracle is not asked: what it
// answers is another terminal's identity. An empty reply is a gap or a refusal, explained in docs/engine-deviations.md.

export interface Reply {
  readonly name: string;
  readonly ask: string;
  readonly reply: string;
}

const secret = "\x1b]2;secret\x07";

export const replies: readonly Reply[] = [
  { name: "DA1: VT220 with sixel and colour", ask: "\x1b[c", reply: "\x1b[?62;4;22c" },
  { name: "DECID: as DA1", ask: "\x1bZ", reply: "\x1b[?62;4;22c" },
  { name: "DA2", ask: "\x1b[>c", reply: "\x1b[>1;10;0c" },
  { name: "DA3", ask: "\x1b[=c", reply: "\x1bP!|00000000\x1b\\" },
  { name: "DSR", ask: "\x1b[5n", reply: "\x1b[0n" },
  { name: "CPR", ask: "ab\r\ncd\x1b[6n", reply: "\x1b[2;3R" },
  { name: "CPR waiting to wrap: the last column", ask: "0123456789\x1b[6n", reply: "\x1b[1;10R" },
  { name: "CPR with origin mode: from the margin", ask: "\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b[6n", reply: "\x1b[2;2R" },
  { name: "DECXCPR: not answered", ask: "\x1b[?6n", reply: "" },
  { name: "DECRQM set", ask: "\x1b[?2004h\x1b[?2004$p", reply: "\x1b[?2004;1$y" },
  { name: "DECRQM reset", ask: "\x1b[?2004$p", reply: "\x1b[?2004;2$y" },
  { name: "DECRQM synchronized output", ask: "\x1b[?2026$p", reply: "\x1b[?2026;2$y" },
  { name: "DECRQM grapheme clusters", ask: "\x1b[?2027$p", reply: "\x1b[?2027;2$y" },
  { name: "DECRQM unknown", ask: "\x1b[?9999$p", reply: "\x1b[?9999;0$y" },
  { name: "DECRQM ANSI: not answered", ask: "\x1b[4$p", reply: "" },
  { name: "DECRQSS DECSTBM", ask: "\x1b[2;4r\x1bP$qr\x1b\\", reply: "\x1bP1$r2;4r\x1b\\" },
  { name: "DECRQSS SGR", ask: "\x1b[1;31m\x1bP$qm\x1b\\", reply: "\x1bP1$r0;1;31m\x1b\\" },
  { name: "DECRQSS DECSCUSR", ask: "\x1bP$q q\x1b\\", reply: "\x1bP1$r2 q\x1b\\" },
  { name: "DECRQSS DECSCA: not known", ask: '\x1bP$q"q\x1b\\', reply: "\x1bP0$r\x1b\\" },
  { name: "DECRQSS of nonsense", ask: "\x1bP$qz\x1b\\", reply: "\x1bP0$r\x1b\\" },
  { name: "XTVERSION", ask: "\x1b[>q", reply: "\x1bP>|duetty 0.1.0\x1b\\" },
  { name: "OSC 4, ended by BEL as asked", ask: "\x1b]4;1;?\x07", reply: "\x1b]4;1;rgb:cccc/6666/6666\x07" },
  { name: "OSC 4, ended by ST as asked", ask: "\x1b]4;1;?\x1b\\", reply: "\x1b]4;1;rgb:cccc/6666/6666\x1b\\" },
  { name: "OSC 10", ask: "\x1b]10;?\x07", reply: "\x1b]10;rgb:d4d4/d4d4/d4d4\x07" },
  { name: "OSC 11", ask: "\x1b]11;?\x07", reply: "\x1b]11;rgb:1212/1414/1818\x07" },
  { name: "OSC 11 after it was set", ask: "\x1b]11;#102030\x07\x1b]11;?\x07", reply: "\x1b]11;rgb:1010/2020/3030\x07" },
  { name: "OSC 12", ask: "\x1b]12;?\x07", reply: "\x1b]12;rgb:d4d4/d4d4/d4d4\x07" },
  { name: "kitty keyboard: nothing pushed", ask: "\x1b[?u", reply: "\x1b[?0u" },
  { name: "kitty keyboard: pushed", ask: "\x1b[>5u\x1b[?u", reply: "\x1b[?5u" },
  { name: "CSI 14 t: pixels", ask: "\x1b[14t", reply: "\x1b[4;80;80t" },
  { name: "CSI 16 t: pixels of a cell", ask: "\x1b[16t", reply: "\x1b[6;16;8t" },
  { name: "CSI 18 t: rows and columns", ask: "\x1b[18t", reply: "\x1b[8;5;10t" },
  { name: "2048: size when switched on", ask: "\x1b[?2048h", reply: "\x1b[48;5;10;80;80t" },
  // Never echo back what a program could have put there: it would be typed into whatever reads next.
  { name: "CSI 21 t: the title is not told", ask: `${secret}\x1b[21t`, reply: "" },
  { name: "OSC 52: the clipboard is not told", ask: "\x1b]52;c;?\x07", reply: "" },
  { name: "ENQ: no answerback", ask: "\x05", reply: "" },
  { name: "XTGETTCAP: not answered", ask: "\x1bP+q544e\x1b\\", reply: "" },
  { name: "DECRQCRA: not answered", ask: "secret\x1b[1;1;1;1;1;6*y", reply: "" },
];
