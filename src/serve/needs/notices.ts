// A need as somebody hears of it outside this machine's own pages: short and without secrets. Pure.
import { clipped } from "../../core/base/head-tail.ts";
import { marked } from "../../core/base/invisible.ts";
import { noticeOf } from "../../core/base/question-words.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import type { Need } from "../../protocol/words/need.ts";
import type { Notice } from "../push/push.ts";

/** A phone shows no more of them. */
const TITLE_CHARS_MAX = 80;
const BODY_CHARS_MAX = 160;

export function noticeFor(need: Need, eyes: Redactor): Notice {
  const seen = (text: string, max: number) => clipped(marked(eyes.text(text), { controls: "text" }), max);
  const { title, body, ...rest } = noticeOf(need);
  return { ...rest, title: seen(title, TITLE_CHARS_MAX), body: seen(body, BODY_CHARS_MAX) };
}
