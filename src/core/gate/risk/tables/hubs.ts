// Clients of code hosts. Reading from the host is safe; changing anything there is risky.
import { any, asks, each, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const SEEN =
  "-0 -R: --repo: --json: -q: --jq: -t: --template: -L: --limit: -s: --state: -a: --assignee: -A: --author: -l: --label: -B: --base: -H: --head: --search: -S: -m: --milestone: --mention: --comments -c --draft -d --name-only --patch --color: --log --log-failed -v --verbose -j: --job: -w: --workflow: -b: --branch: -u: --user: -e: --event: --status: --exit-status --required --watch --fail-fast -i: --interval: --created: --commit: --attempt: --yaml --ref: -r: --archived --fork --source --no-archived --visibility: --topic: --language: --org: --owner: --exclude-drafts --exclude-pre-releases -O: --order: --sort: --sort-by: --conflict-status --all -P: --per-page: -p: --page: -F: --output: --merged --closed --opened --reviewer: --group: -g: --compact --show-aliases";
const changes = risk("deploy", "changes something on the host");
const seen = safeWith(SEEN, { words: "any" });
const view: Rule = when("-w --web", asks("opens a window"), seen);

const listing = (safe: string, more: Record<string, Rule> = {}): Rule =>
  verbs({ [safe]: view, ...more }, { other: changes, options: SEEN });

export const hubs: Table = {
  ...each(
    "gh",
    verbs(
      {
        "pr issue": listing("view list ls status diff checks", {
          checkout: asks("changes the working tree"),
          co: asks("changes the working tree"),
        }),
        run: listing("view list ls watch", { download: risk("network", "fetches files") }),
        workflow: listing("view list ls"),
        release: listing("view list ls", { download: risk("network", "fetches files"), verify: asks("not known") }),
        repo: listing("view list ls", {
          clone: risk("network", "fetches a repository"),
          fork: risk("network", "makes a repository"),
          sync: risk("network", "fetches"),
        }),
        "label milestone cache ruleset project": listing("list ls view check item-list field-list"),
        gist: listing("view list ls", { clone: risk("network", "fetches") }),
        search: view,
        status: safeWith("-e: --exclude: -o: --org:"),
        "version help": any,
        auth: verbs(
          { status: safeWith("-h: --hostname: -a --active") },
          { other: risk("privilege", "shows or changes who is signed in") },
        ),
        "secret variable ssh-key gpg-key": verbs({}, { other: risk("privilege", "shows or changes secrets") }),
        api: when(
          "-X --method -f -F --raw-field --field --input",
          risk("network", "may change anything on the host"),
          asks("asks the host for anything"),
        ),
        "extension ext": verbs({ "list search": seen }, { other: risk("install", "installs extensions") }),
        "config alias": verbs({ "list get": seen }, { other: asks("changes settings") }),
        "browse codespace copilot attestation org": asks("does more than read"),
      },
      { options: "-R: --repo: --version" },
    ),
  ),
  ...each(
    "glab",
    verbs(
      {
        "mr issue": listing("view list ls diff show status", { checkout: asks("changes the working tree") }),
        ci: listing("view list ls status get lint trace"),
        "release repo label snippet milestone": listing("view list ls"),
        "version help": any,
        auth: verbs({ status: safeWith("") }, { other: risk("privilege", "shows or changes who is signed in") }),
        variable: risk("privilege", "shows or changes secrets"),
        api: asks("asks the host for anything"),
      },
      { options: "-R: --repo: --version" },
    ),
  ),
  ...each("hub tea bb", asks("not known well enough")),
  ...each("act", asks("runs workflows in containers")),
  ...each(
    "jira linear sentry-cli circleci travis bk",
    verbs(
      { "version --version": any, config: verbs({ validate: safeWith("") }) },
      { other: asks("changes something on a host") },
    ),
  ),
};
