// Clients of code hosts. They speak with the host in the person's name, so even reading is asked; changing is risky.
import { any, asks, each, type Rule, risk, type Table, verbs, when } from "../spec.ts";

const looks = asks("asks the host in the person's name");
const changes = risk("deploy", "changes something on the host");
const signs = risk("privilege", "shows or changes secrets");
const fetches = risk("network", "fetches from the host");
const LOOKS = "view list ls status diff checks watch check trace get show lint verify";

const listing: Rule = verbs(
  { [LOOKS]: looks, "checkout co": asks("changes the working tree"), "download clone fork sync": fetches },
  { other: changes, options: "-R: --repo:" },
);

export const hubs: Table = {
  ...each(
    "gh glab",
    verbs(
      {
        "pr mr issue run ci workflow release repo label milestone cache ruleset project gist snippet": listing,
        "version help": any,
        auth: verbs({ status: looks }, { other: signs }),
        "secret variable ssh-key gpg-key": signs,
        api: when(
          "-X --method -f -F --raw-field --field --input",
          risk("network", "may change anything on the host"),
          looks,
        ),
        search: looks,
        "extension ext": verbs({ "list search": looks }, { other: risk("install", "installs extensions") }),
      },
      { options: "-R: --repo: --version", other: asks("does more than read") },
    ),
  ),
  ...each("hub tea bb act jira linear sentry-cli circleci travis bk", asks("speaks with a host")),
};
