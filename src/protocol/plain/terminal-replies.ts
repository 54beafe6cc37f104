// A viewer's own terminal answers queries that the program sent to the session. Those answers must not be typed, because the
// session's engine has already answered: device attributes, cursor and status reports, mode reports, colours.
// Case matters: CSI C is the right arrow, CSI c an answer.
// A terminal sends an answer in one piece, so a chunk that holds one is cut here and nothing is kept between chunks.

const REPLIES =
  /\x1b\[[?>=]?[\d;]*c|\x1b\[\??\d+(?:;\d+)*n|\x1b\[\??\d+;\d+(?:;\d+)?R|\x1b\[\??\d+;\d\$y|\x1b\[\?\d*u|\x1b\[[468];\d+;\d+t|\x1b\](?:4;\d+|1[0-2]);rgb:[\da-fA-F/]+(?:\x07|\x1b\\)|\x1bP[01]\$r[^\x1b]*\x1b\\|\x1bP>\|[^\x1b]*\x1b\\|\x1bP[01]\+r[^\x1b]*\x1b\\/gu;

export function withoutReplies(text: string): string {
  // F3 with modifiers looks like a cursor report with row 1 (CSI 1 ; 2 R). We treat it as a key.
  return text.replace(REPLIES, (reply) => (/^\x1b\[1;[2-8]R$/.test(reply) ? reply : ""));
}
