// Docker, Podman, Kubernetes, Helm. Looking at local containers is safe, a cluster is asked with the person's credentials;
// starting, changing or removing counts as a deployment.
import { any, asks, each, needs, type Rule, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const seen = safeWith(
  "-0 -a --all -q --quiet -l --latest -n: --last: -s --size --no-trunc --format: -f --filter: --tail: --since: --until: -t --timestamps --follow --digests --no-stream --services --no-color --no-log-prefix --human",
  { words: /^[\w][\w.:@/-]*$/ },
);
const changes = risk("deploy", "starts, changes or removes containers");
const fetches = risk("install", "fetches or builds images");
const cluster = asks("asks a cluster in the person's name");
const changesCluster = risk("deploy", "changes the cluster");
const secrets = asks("may show secrets");

const compose: Rule = verbs(
  {
    "ps logs images top ls version port": seen,
    "config convert": secrets,
    "pull build": fetches,
    "watch events stats": asks("stays"),
  },
  { other: changes, options: "-f@ --file@ -p: --project-name: --profile: --ansi: --progress:" },
);

const docker: Rule = verbs(
  {
    "ps images logs version info top port stats diff history": seen,
    inspect: secrets,
    container: verbs({ "ls list ps logs top port stats diff": seen, inspect: secrets }, { other: changes }),
    image: verbs(
      { "ls list history": seen, inspect: secrets, "pull build push load import": fetches },
      { other: changes },
    ),
    "volume network": verbs({ "ls list inspect": seen }, { other: changes }),
    "context node service stack secret config plugin manifest": verbs({ "ls list ps": secrets }, { other: changes }),
    system: verbs({ "df info": seen }, { other: risk("destructive", "removes images and containers") }),
    "buildx builder": verbs({ "ls version du": seen }, { other: fetches }),
    compose,
    "pull load import": fetches,
    build: asks("runs what a Dockerfile says"),
    "push login logout": risk("deploy", "publishes, or signs in"),
    help: any,
  },
  { options: "--version -v -D --debug -l: --log-level:", other: changes },
);

const kubectl: Rule = verbs(
  {
    "get describe logs top explain api-resources api-versions cluster-info events diff kustomize": cluster,
    config: verbs(
      { "get-contexts current-context get-clusters": cluster },
      { other: risk("privilege", "shows or changes credentials") },
    ),
    rollout: verbs({ "status history": cluster }, { other: changesCluster }),
    auth: verbs({ "can-i whoami": cluster }, { other: risk("privilege", "changes rights") }),
    "port-forward proxy": risk("network", "opens a way into the cluster"),
    version: needs("--client", safeWith("--client --short -o:"), "asks a cluster in the person's name"),
    "completion options help": any,
  },
  { options: "-n: --namespace: --context: --cluster: -v: --request-timeout:", other: changesCluster },
);

const VALUES = "-f@ --values@ --set: --strict --quiet --with-subcharts --kube-version: --set-string: --debug";
const helm: Rule = verbs(
  {
    "list ls status history get show search": cluster,
    lint: safeWith(VALUES),
    template: when(
      "--post-renderer --output-dir --repo --validate",
      asks("writes, fetches or starts a program"),
      safeWith(`${VALUES} -n: --namespace: -s: --show-only: --include-crds --api-versions: --skip-tests`),
    ),
    version: safeWith("--short"),
    repo: verbs({ list: any }, { other: risk("install", "changes where charts come from") }),
    "dependency dep plugin pull": risk("install", "fetches"),
    "push registry package": risk("deploy", "publishes"),
  },
  { options: "-n: --namespace: --kube-context: --debug", other: changesCluster },
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
    "helmfile skaffold tilt argocd flux istioctl linkerd kustomize velero kubeadm kops eksctl minikube kind k3d colima lima limactl multipass vagrant",
    verbs({ "version lint status list ls get build profile global-status": cluster }, { other: changesCluster }),
  ),
  ...each("kubectx kubens stern", cluster),
};
