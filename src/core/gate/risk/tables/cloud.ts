// Infrastructure as code and cloud clients. They act with the person's credentials: looking is asked, the rest is risky.
import { risky, unknown } from "../risk.ts";
import { any, asks, code, each, needs, type Rule, risk, safeWith, type Table, verbs } from "../spec.ts";

const changes = risk("deploy", "changes what runs elsewhere");
const signs = risk("privilege", "shows or changes credentials");
const looks = asks("asks a cloud in the person's name");

const terraform: Rule = verbs(
  {
    validate: safeWith("-json -no-color -no-tests"),
    fmt: needs(
      "-check --check",
      safeWith("-check --check -diff --diff -recursive --recursive -no-color -write=false"),
      "writes files",
    ),
    version: safeWith("-json", { words: "none" }),
    "show output plan console providers graph": looks,
    state: verbs({ "list show pull": looks }, { other: risk("destructive", "changes the state") }),
    workspace: verbs({ "list show": looks }, { other: changes }),
    "init get": risk("install", "installs providers"),
    "login logout": signs,
    destroy: risk("destructive", "removes what runs elsewhere"),
  },
  { options: "-version --version", other: changes },
);

const CREDENTIALS = /secret|password|token|credential|configure|auth|login|keys?\b|sso|\biam\b|kms|ssm/i;
const LOOKS =
  /(?:^|[\s:-])(?:ls|list|describe|show|get|status|logs|tail|info|whoami|inspect|ps|version|releases|apps|preview|diff|synth|validate|doctor|about|history|checks|domains|read)(?:$|[\s:-])/;

/** The words up to the first option name the operation. */
const service: Rule = code((args, id) => {
  const words = args.filter((arg) => !arg.prefix.startsWith("-"));
  if (words.some((arg) => !arg.literal)) return unknown(id, "which subcommand it is can only be seen when it runs");
  const says = words.map((arg) => arg.text).join(" ");
  if (CREDENTIALS.test(says)) return risky(id, "privilege", "shows or changes credentials");
  return LOOKS.test(says)
    ? unknown(id, "asks a cloud in the person's name")
    : risky(id, "deploy", "changes what runs elsewhere");
});

export const cloud: Table = {
  ...each("terraform tofu terragrunt", terraform),
  pulumi: verbs(
    {
      version: any,
      "about whoami stack preview": looks,
      "login logout config": signs,
      destroy: risk("destructive", "removes what runs elsewhere"),
    },
    { other: changes, options: "--version" },
  ),
  ...each(
    "aws gcloud gsutil bq az doctl linode-cli hcloud scw oci ibmcloud vultr-cli civo exo heroku fly flyctl vercel netlify railway render wrangler firebase supabase surge now deployctl dokku caprover kamal porter platform upsun convex cdk cdktf sam serverless sls sst amplify copilot chalice zappa ecs-cli eb packer consul nomad boundary waypoint",
    service,
  ),
  ...each("chef knife puppet salt salt-call bolt", changes),
  infracost: looks,
  vault: verbs({ "version status": looks }, { other: signs }),
};
