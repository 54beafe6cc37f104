// Infrastructure as code and cloud clients. A few verbs only read; the rest change what runs elsewhere.

import { risky, safe, unknown } from "../risk.ts";
import { any, asks, code, each, needs, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const changes = risk("deploy", "changes what runs elsewhere");
const signs = risk("privilege", "shows or changes credentials");

const terraform: Rule = verbs(
  {
    validate: safeWith("-json -no-color -no-tests -test-directory:"),
    fmt: needs(
      "-check --check",
      safeWith("-check --check -diff --diff -recursive --recursive -no-color -list: -write=false"),
      "writes into the workspace",
    ),
    "version providers graph": safeWith("-json -type: -draw-cycles", { words: "none" }),
    show: asks("may show secrets"),
    output: asks("may show secrets"),
    state: verbs(
      { list: safeWith("-id:", { words: "any" }), "show pull": asks("may show secrets") },
      { other: risk("destructive", "changes the state") },
    ),
    workspace: verbs({ "list show": any }, { other: changes }),
    plan: when("-destroy -out", asks("writes a plan"), asks("asks providers for everything")),
    "init get": risk("install", "installs providers"),
    console: asks("interactive: keys decide, not the line"),
    test: risk("deploy", "makes what it tests"),
    "login logout": signs,
    destroy: risk("destructive", "removes what runs elsewhere"),
  },
  { options: "-chdir@ -version --version", other: changes },
);

/** Options before the verb that only choose an account, a place or a format. */
const IN_FRONT = /^--(?:profile|region|output|project|format|subscription|context|no-cli-pager|no-color|quiet)(?:=|$)/;
const ALONE = /=|^--no-|^--quiet$/;
const ELSEWHERE =
  /^--(?:endpoint-url|ca-bundle|cli-input|outfile|flags-file|access-token-file|impersonate|configuration|query-file)/;
const CREDENTIALS = /secret|password|token|credential|configure|auth|login|keys?\b|sso|\biam\b|kms|ssm/i;

/** The words up to the first option name the operation, which must be read-only. */
function service(readOnly: RegExp): Rule {
  return code((args, id) => {
    let i = 0;
    while (IN_FRONT.test(args[i]?.prefix ?? "")) i += ALONE.test(args[i]?.prefix ?? "") ? 1 : 2;
    const end = args.findIndex((arg, at) => at >= i && arg.prefix.startsWith("-"));
    const words = args.slice(i, end < 0 ? args.length : end);
    if (words.some((arg) => !arg.literal)) return unknown(id, "which verb it is shows only when it runs");
    const says = words.map((arg) => arg.text).join(" ");
    if (/^(?:sts get-caller-identity|version)$/.test(says)) return safe(`${id}.look`);
    if (CREDENTIALS.test(says)) return risky(id, "privilege", "shows or changes credentials");
    if (!readOnly.test(says)) return risky(id, "deploy", "changes what runs elsewhere");
    const odd = args.find((arg) => arg.wild || ELSEWHERE.test(arg.prefix));
    return odd ? unknown(id, `${odd.text} is not known`) : safe(`${id}.look`);
  });
}

const AWS = /^[a-z0-9-]+ (?:describe|list)-[a-z0-9-]+$|^s3 ls(?: s3:\/\/[\w./-]+)?$|^logs tail [\w./-]+$/;
const GCLOUD =
  /^(?:projects|services|functions|builds|compute (?:instances|zones|regions|disks|networks|images)|container clusters|run services|sql instances|app (?:versions|services)|config configurations|artifacts repositories) (?:list|describe)(?: [\w.-]+)?$|^(?:config list|info)$/;
const AZ =
  /^(?:account|vm|group|webapp|aks|acr|functionapp|resource|storage account|sql server|network vnet|appservice plan) (?:list|show)$/;
const OTHERS = /^(?:compute droplet|kubernetes cluster|apps|databases|server|servers|instance|instances) (?:list|ls)$/;

const hosted = (readOnly: string): Rule =>
  verbs(
    {
      [readOnly]: safeWith(
        "-0 -a: --app: --json -n: --num: --tail -t --limit: -s: --scope: -r: --region: --since: --all -j -o: --output: --format:",
        { words: /^(?:list|ls)$/ },
      ),
      "version help --version": any,
      "login logout auth auth:token secrets env config:set config config:get env:pull": signs,
    },
    { other: changes, options: "--version -v --prod --yes -y", bare: changes },
  );

export const cloud: Table = {
  ...each("terraform tofu terragrunt", terraform),
  pulumi: verbs(
    {
      "version about whoami": safeWith("-j --json"),
      stack: verbs(
        { "ls history graph": safeWith("-j --json -a --all") },
        { other: changes, bare: asks("may show secrets") },
      ),
      preview: asks("asks providers for everything"),
      "login logout config": signs,
      destroy: risk("destructive", "removes what runs elsewhere"),
    },
    { other: changes, options: "--version" },
  ),
  ...each(
    "cdk cdktf sam serverless sls sst amplify copilot chalice zappa ecs-cli eb",
    verbs(
      { "synth ls list diff doctor validate version info": asks("may ask the cloud") },
      { other: changes, options: "--version" },
    ),
  ),
  aws: service(AWS),
  gcloud: service(GCLOUD),
  ...each("gsutil bq", service(/^ls(?: gs:\/\/[\w./-]+)?$/)),
  az: service(AZ),
  ...each("doctl linode-cli hcloud scw oci ibmcloud vultr-cli civo exo", service(OTHERS)),
  ...each(
    "heroku",
    hosted("apps ps logs releases releases:info addons domains status pg:info buildpacks regions stack"),
  ),
  ...each("fly flyctl", hosted("status logs releases apps checks history")),
  vercel: hosted("ls list inspect logs whoami"),
  netlify: hosted("status sites:list"),
  ...each(
    "railway render wrangler firebase supabase surge now deployctl dokku caprover kamal porter platform upsun convex",
    hosted("status whoami logs"),
  ),
  ...each(
    "packer vault consul nomad boundary waypoint",
    verbs(
      { "validate version status": safeWith("-syntax-only"), "kv read secrets token login": signs },
      { other: changes, options: "-version --version" },
    ),
  ),
  ...each("chef knife puppet salt salt-call bolt", changes),
  infracost: asks("asks a host"),
};
