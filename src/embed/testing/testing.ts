// The test kit for terminal programs, `duetty/testing`: what it offers.
export { expect, type LocatorExpectations, ScreenError, type TermExpectations } from "./expect.ts";
export type { GoldenOptions, Mask } from "./golden.ts";
export { type LaunchOptions, launch, shell } from "./launch.ts";
export type { Locator } from "./locator.ts";
export { type MatcherContext, type MatcherResult, matchers } from "./matchers.ts";
export type { Rect } from "./picture.ts";
export type { RoleOptions, TextOptions } from "./query.ts";
export type { Role } from "./roles.ts";
export type { Exit, Waiting } from "./subject.ts";
export type { ScreenText, Term } from "./term.ts";
