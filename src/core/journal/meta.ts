// Whether a file's content is what a session was opened with. A crash, a full disk or a hand may have changed it.
import { isSize } from "../../protocol/plain/size.ts";
import { isRecipe } from "../recipe/recipe.ts";
import type { Meta, MetaWorktree } from "./store.ts";

export function isMeta(value: unknown): value is Meta {
  if (!isObject(value) || !isSize(value)) return false;
  const { session_id, name, command, cwd, env_names, sizing, actor, created_at, integration, box, leaves_at, ...more } =
    value as Fields;
  const texts = [session_id, cwd, actor, ...(name === null ? [] : [name])];
  return (
    texts.every(isText) &&
    isTexts(command) &&
    command.length > 0 &&
    isTexts(env_names) &&
    (sizing === "pinned" || sizing === "follow") &&
    Number.isFinite(created_at) &&
    (integration === null || (isObject(integration) && "shell" in integration && "nonce" in integration)) &&
    (more.nested === undefined || (Array.isArray(more.nested) && more.nested.every(isNested))) &&
    (leaves_at === undefined || leaves_at === null || Number.isFinite(leaves_at)) &&
    (box === undefined || box === null || isObject(box)) &&
    [more.agent, more.agent_session_id].every((text) => text === undefined || text === null || isText(text)) &&
    (more.agent_args === undefined || isTexts(more.agent_args)) &&
    isWorktree(more.worktree) &&
    (more.provision === undefined || isText(more.provision)) &&
    (more.task === undefined || more.task === null || (isObject(more.task) && "text" in more.task)) &&
    (more.put_away === undefined || typeof more.put_away === "boolean") &&
    (more.accepted === undefined || isTexts(more.accepted)) &&
    (more.recipe === undefined || isRecipe(more.recipe))
  );
}

function isWorktree(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (!isObject(value)) return false;
  const { tree, branch, path, repo, port } = value as Partial<Record<keyof MetaWorktree, unknown>>;
  return [tree, branch, path, repo].every(isText) && Number.isInteger(port);
}

function isNested(value: unknown): boolean {
  return isObject(value) && "id" in value && "nonce" in value && isText(value.nonce) && "shell" in value;
}

type Fields = Readonly<Partial<Record<keyof Meta, unknown>>>;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
