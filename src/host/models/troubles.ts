// Turns a failed call to a provider into a Trouble: what it is, what to do, whether to try again. Pure.
// No key gets into a message, because texts are masked and then cut.
import type { Trouble } from "../../core/agent/agent.ts";
import { clipped } from "../../core/base/head-tail.ts";
import { type Failure, failureOf } from "./failure.ts";
import { Silence } from "./patience.ts";
import { masked } from "./secret.ts";
import type { ModelSettings } from "./settings.ts";

/** Enough for a provider's sentence. Some answer with a whole page. */
const MESSAGE_CHARS_MAX = 300;

const LATER = { after_ms: null };
const NETWORK_CODE = /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|UND_ERR_)/;
const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;
const TOO_LONG = /context|too (?:long|large|many)|maximum.*(?:length|tokens)/i;

export const STOPPED: Trouble = { code: "aborted", message: "Stopped.", hint: "Send a message to go on.", retry: null };

export function troubleOf(error: unknown, settings: ModelSettings, now: number): Trouble {
  const failure = failureOf(error);
  const { chain, codes, inner, status } = failure;
  if (chain.some((cause) => cause instanceof Silence)) return network(`The model is silent: ${inner}.`, settings);
  if (codes.some((code) => CERTIFICATE_CODE.test(code))) return certificate(shortened(inner, settings));
  // For some broken connections fetch says only "terminated" or "fetch failed".
  if (codes.some((code) => NETWORK_CODE.test(code)) || /^(?:terminated|fetch failed)$/.test(inner)) {
    return network(`The connection failed: ${shortened(inner, settings)}.`, settings);
  }
  return status !== undefined && status >= 300 ? byStatus(status, failure, settings, now) : byName(failure, settings);
}

/** The stream or the answer ended before it was whole. */
export function cutShort(settings: ModelSettings): Trouble {
  return network("The answer ended in the middle.", settings);
}

export function refused(text: string, settings: ModelSettings): Trouble {
  return {
    code: "refused",
    message: `The model refused${text.trim() ? `: ${shortened(text, settings)}` : "."}`,
    hint: "Say it differently, or choose another model.",
    retry: null,
  };
}

export function cutOff(): Trouble {
  return {
    code: "invalid",
    message: "The answer was longer than the model may answer, and was cut off.",
    hint: "Ask for less at a time, or choose a model with a larger limit.",
    retry: null,
  };
}

function byStatus(status: number, failure: Failure, settings: ModelSettings, now: number): Trouble {
  const text = shortened(failure.outer, settings);
  const message = `${settings.provider} answered ${status}: ${text}`;
  if (status === 401 || status === 403) return { code: "auth", message, hint: keyHint(settings), retry: null };
  if (status === 429) {
    const hint = "The provider's limit is reached: wait, or look at your plan there.";
    // Waiting does not help when the account is out of money.
    const usedUp = failure.body.includes("insufficient_quota");
    return { code: "limit", message, hint, retry: usedUp ? null : retryAfter(failure, now) };
  }
  if (status >= 500) {
    const hint = "The provider has a problem or too much to do; trying again usually helps.";
    return { code: "overloaded", message, hint, retry: retryAfter(failure, now) };
  }
  if (status === 408 || status === 409) return network(message, settings);
  return { code: "invalid", message, hint: invalidHint(status, text, settings), retry: null };
}

function invalidHint(status: number, text: string, { model, base_url }: ModelSettings): string {
  if (status < 400) return `${base_url} redirects elsewhere: set agent.base_url to the final address.`;
  if (status === 404) return `Check the model's name (${model}) and the address (${base_url}).`;
  if (status === 413 || TOO_LONG.test(text)) {
    return "The conversation is too long for this model: begin a new one, or lower agent.history_chars.";
  }
  return `Check whether the model ${model} exists at ${base_url} and can call tools.`;
}

function byName({ names, outer, inner }: Failure, settings: ModelSettings): Trouble {
  const has = (name: string) => names.includes(`AI_${name}`);
  if (has("NoOutputGeneratedError") || has("InvalidResponseDataError")) return cutShort(settings);
  const text = shortened(outer === inner ? outer : `${outer}: ${inner}`, settings);
  const message = `${settings.provider}: ${text}`;
  if (has("StreamProviderError")) {
    const hint = "The provider failed in the middle of its answer; trying again usually helps.";
    return { code: "overloaded", message, hint, retry: LATER };
  }
  const { base_url, provider, model } = settings;
  const hint = `Check that ${base_url} is the address of ${provider} and that the model ${model} can call tools.`;
  return { code: "invalid", message, hint, retry: null };
}

function network(message: string, { base_url }: ModelSettings): Trouble {
  const hint = `Check that the server at ${base_url} runs and can be reached from here.`;
  return { code: "network", message, hint, retry: LATER };
}

function certificate(text: string): Trouble {
  const hint = "If the server's certificate is your own, name its authority in the variable NODE_EXTRA_CA_CERTS.";
  return { code: "network", message: `The connection is not secure: ${text}.`, hint, retry: null };
}

function keyHint({ key_from }: ModelSettings): string {
  if (key_from === null)
    return "The server wants a key: name the variable that has it in agent.key_env of config.json.";
  return `Check the key in ${key_from}, and whether it may use this model; then restart the daemon.`;
}

/** retry-after-ms, or retry-after in seconds or as a date. */
function retryAfter({ header }: Failure, now: number): { after_ms: number | null } {
  const ms = header("retry-after-ms");
  if (ms !== "" && Number(ms) >= 0) return { after_ms: Math.ceil(Number(ms)) };
  const after = header("retry-after");
  if (after === "") return LATER;
  if (Number(after) >= 0) return { after_ms: Math.ceil(Number(after) * 1_000) };
  const date = Date.parse(after);
  return Number.isNaN(date) ? LATER : { after_ms: Math.max(0, date - now) };
}

function shortened(text: string, { key }: ModelSettings): string {
  return clipped(masked(text, key).replace(/\s+/g, " ").trim(), MESSAGE_CHARS_MAX);
}
