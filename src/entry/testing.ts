// `duetty/testing`: the test kit for terminal programs.
export { expect, type LocatorExpectations, ScreenError, type TermExpectations } from "../embed/testing/expect.ts";
export type { GoldenOptions, Mask } from "../embed/testing/golden.ts";
export { type LaunchOptions, launch, shell } from "../embed/testing/launch.ts";
export type { Locator } from "../embed/testing/locator.ts";
export { type MatcherContext, type MatcherResult, matchers } from "../embed/testing/matchers.ts";
export type { Rect } from "../embed/testing/picture.ts";
export type { RoleOptions, TextOptions } from "../embed/testing/query.ts";
export type { Role } from "../embed/testing/roles.ts";
export type { Exit, Waiting } from "../embed/testing/subject.ts";
export type { ScreenText, Term } from "../embed/testing/term.ts";
