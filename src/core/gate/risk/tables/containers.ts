// Docker, Podman, Kubernetes, Helm. Read-only verbs are safe; starting, changing or removing counts as a deployment.
import { any, asks, each, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const SEEN =
  "-0 -a --all -q --quiet -l --latest -n: --last: -s --size --no-trunc --format: -f --filter: --tail: --since: --until: -t --timestamps --follow --details --digests --type: --stat --no-stream --services --volumes --images --profiles --hash: --status: --human -H --depth: --no-color --no-log-prefix --orphans --no-interpolate --resolve-image-digests --environment";
const seen = safeWith(SEEN, { words: "any" });
const changes = risk("deploy", "starts, changes or removes containers");
const fetches = risk("install", "fetches or builds images");

const compose: Rule = verbs(
  {
    "ps logs images top ls version port events config convert stats volumes": seen,
    "pull build": fetches,
    "exec run": changes,
    watch: asks("stays"),
  },
  {
    other: changes,
    options: "-f@ --file@ -p: --project-name: --profile: --project-directory@ --ansi: --progress: --env-file@",
  },
);

const docker: Rule = verbs(
  {
    "ps images logs version info top port stats diff history events": seen,
    inspect: seen,
    container: verbs({ "ls list ps logs top port stats diff inspect": seen }, { other: changes }),
    image: verbs({ "ls list history inspect": seen, "pull build push load import": fetches }, { other: changes }),
    "volume network context node service stack secret config plugin manifest": verbs(
      { "ls list inspect ps services show": seen },
      { other: changes },
    ),
    system: verbs(
      { "df info events": safeWith("-v --verbose --format: -f: --filter: --since: --until:") },
      { other: risk("destructive", "removes images and containers") },
    ),
    buildx: verbs({ "ls version inspect du": seen }, { other: fetches }),
    builder: verbs({ du: seen }, { other: risk("destructive", "removes the cache") }),
    compose,
    "pull load import": fetches,
    build: asks("runs what a Dockerfile says"),
    "push login logout": risk("deploy", "publishes, or signs in"),
    "run exec create start restart rm rmi stop kill pause unpause update rename commit attach cp tag save export swarm prune wait scout init sbom":
      changes,
    help: any,
  },
  { options: "--version -v -D --debug -l: --log-level:", other: changes },
);

const NAMES =
  "-0 -n: --namespace: -A --all-namespaces -o: --output: -l: --selector: --field-selector: -w --watch --show-labels --sort-by: --context: --no-headers -L: --ignore-not-found --show-kind --server-print --chunk-size: -c: --container: -f --follow --tail: --since: --since-time: -p --previous --timestamps --all-containers --prefix --max-log-requests: --containers --recursive --api-version: --client --short --request-timeout: --api-group: --namespaced --verbs: --for: --types: --no-color --revision: --events --cached";
const kubeSeen = safeWith(NAMES, { words: /^(?!.*secret|https?:)[\s\S]*$/i });
const kubectl: Rule = verbs(
  {
    "get describe logs top explain api-resources api-versions version cluster-info events": kubeSeen,
    config: verbs(
      { "get-contexts current-context get-clusters": safeWith("-o: --no-headers") },
      { other: risk("privilege", "shows or changes credentials") },
    ),
    rollout: verbs(
      { "status history": safeWith(NAMES, { words: "any" }) },
      { other: risk("deploy", "changes the cluster") },
    ),
    auth: verbs(
      { "can-i whoami": safeWith(`${NAMES} --list -q`, { words: "any" }) },
      { other: risk("privilege", "changes rights") },
    ),
    diff: asks("asks the cluster with files of the workspace"),
    "port-forward proxy": risk("network", "opens a way into the cluster"),
    kustomize: safeWith("", { words: /^(?!https?:|git@)[\w./-]*$/ }),
    "completion options help": any,
  },
  {
    options: "-n: --namespace: --context: --cluster: -v: --request-timeout:",
    other: risk("deploy", "changes the cluster"),
  },
);

const helm: Rule = verbs(
  {
    "list ls status history": safeWith(NAMES, { words: "any" }),
    get: verbs(
      { "manifest notes hooks metadata": safeWith(NAMES, { words: "any" }) },
      { other: asks("may show secrets") },
    ),
    lint: safeWith("-f@ --values@ --set: --strict --quiet --with-subcharts --kube-version:"),
    template: when(
      "--post-renderer --output-dir --repo",
      asks("writes, fetches or starts a program"),
      safeWith(
        "-f@ --values@ --set: --set-string: --debug -n: --namespace: -s: --show-only: --include-crds --kube-version: --api-versions: --skip-tests --release-name --is-upgrade --validate=false",
        { words: /^(?!https?:|oci:)[\w./-]+$/ },
      ),
    ),
    "version env": safeWith("--short --client --template:"),
    show: asks("may fetch"),
    search: verbs({ repo: safeWith("-l --versions --version: -o: --devel", { words: "any" }) }),
    repo: verbs({ list: safeWith("-o:") }, { other: risk("install", "changes where charts come from") }),
    "dependency dep": verbs({ "list ls": safeWith("") }, { other: risk("install", "fetches charts") }),
    "plugin pull": verbs({ list: any }, { other: risk("install", "fetches") }),
    test: risk("deploy", "starts pods"),
    "push registry package": risk("deploy", "publishes"),
  },
  { options: "-n: --namespace: --kube-context: --debug", other: risk("deploy", "changes the cluster") },
);

export const containers: Table = {
  ...each("docker podman nerdctl", docker),
  ...each("docker-compose podman-compose", compose),
  ...each(
    "buildah skopeo crane ctr crictl img kaniko",
    verbs(
      { "images ps version containers inspect info pods logs stats": asks("may ask a registry") },
      { other: fetches },
    ),
  ),
  ...each("kubectl oc microk8s.kubectl", kubectl),
  helm,
  ...each(
    "helmfile skaffold tilt argocd flux istioctl linkerd kustomize velero kubeadm kops eksctl",
    verbs(
      { "version lint status list": safeWith(""), build: safeWith("", { words: /^(?!https?:|git@)[\w./-]*$/ }) },
      { other: risk("deploy", "changes a cluster") },
    ),
  ),
  ...each(
    "minikube kind k3d colima lima limactl multipass vagrant",
    verbs(
      {
        "status list ls version profile get": safeWith("--output: -o: -p: --format:", {
          words: /^(?:list|clusters|nodes|global-status)?$/,
        }),
        "global-status": any,
      },
      { other: risk("deploy", "starts or removes machines") },
    ),
  ),
  ...each("kubectx kubens", safeWith("-c --current", { words: "none" })),
  stern: safeWith("-n: --namespace: --tail: --since: -o: -l: -A -c: --exclude: --include: --color: --no-follow", {}),
};
