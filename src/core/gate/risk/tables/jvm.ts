// Gradle, Maven and other Java tools. Words are tasks; a task of a sub-project is ":app:test".
import { type PartRisk, risky, safe, unknown, worse } from "../risk.ts";
import { asks, code, each, options, type Rule, risk, safeWith, type Table, verbs } from "../spec.ts";

const GRADLE = options(
  "-0 -P: --tests: -q --quiet -i --info -d --debug -w --warn -s --stacktrace -S --full-stacktrace --scan=false --no-daemon --daemon --parallel --no-parallel --build-cache --no-build-cache --configuration-cache --no-configuration-cache --continue --no-continue --offline --rerun-tasks --rerun --dry-run -m --console: --warning-mode: -x: --exclude-task: --max-workers: --configure-on-demand --no-configure-on-demand --profile --no-scan -p@ --project-dir@ --info --all --configuration: --dependency: -a --no-rebuild -v --version --fail-fast --no-watch-fs --task: --refresh-keys=false --console=plain",
);
const GRADLE_SAFE =
  /^(?:test|check|build|assemble|compile\w*|classes|testClasses|jar|lint\w*|ktlintCheck|ktlint|detekt\w*|spotlessCheck|checkstyle\w*|pmd\w*|spotbugs\w*|tasks|dependencies|dependencyInsight|projects|properties|help|javadoc|dokka\w*|jacoco\w*|integrationTest|functionalTest|e2eTest|unitTest|test\w*|\w+Test|\w+UnitTest|verify\w*|assemble\w*|bundle\w*|bootJar|shadowJar|war|koverVerify|koverHtmlReport|apiCheck|allTests|components|model|buildEnvironment|outgoingVariants|buildNeeded|buildDependents|licenseCheck|javaToolchains|sourceSets|lintDebug|animalsnifferMain|processResources|validatePlugins|jvmTest|jsTest|nativeTest|checkAll|buildHealth)$/;
const RISKY: readonly (readonly [RegExp, "deploy" | "install" | "migrate" | "destructive"])[] = [
  [
    /publish|upload|release|deploy|promote|bootBuildImage|dockerPush|jib|closeAndRelease|appengine|artifactory|tag|push/i,
    "deploy",
  ],
  [/install|wrapper|dependencyUpdates|refresh|useLatest/i, "install"],
  [/flyway|liquibase|migrat|seed/i, "migrate"],
  [/^clean|delete|uninstall|drop|purge/i, "destructive"],
];

function taskOf(name: string, known: RegExp, id: string): PartRisk {
  const task = name.split(":").at(-1) ?? name;
  const rule = `${id}.${task}`.slice(0, 60);
  // Deleting what the same build makes again is part of building.
  if (/^clean\w*$/.test(task)) return unknown(rule, "deletes what was built");
  if (known.test(task) && !/update|fix|apply|record|publish|deploy|release|upload|migrat|install(?!ed)/i.test(task))
    return safe(rule);
  const kind = RISKY.find(([words]) => words.test(task))?.[1];
  return kind ? risky(rule, kind, `a task named ${name}`) : unknown(rule, `${name} is not a task known to be safe`);
}

const gradle: Rule = code((args, id, starts) => {
  const verdict = starts.rule(safeWith(GRADLE, { words: "any" }), args, id);
  let worst: PartRisk = verdict;
  for (const [i, arg] of args.entries()) {
    const before = GRADLE.get(args[i - 1]?.text ?? "");
    if (arg.prefix.startsWith("-") || (before !== undefined && before !== "nothing")) continue;
    const task = arg.literal
      ? taskOf(arg.text, GRADLE_SAFE, id)
      : unknown(id, "which task it is can only be seen when it runs");
    // "gradle clean build" builds.
    const cleans =
      arg.literal &&
      /(?:^|:)clean$/.test(arg.text) &&
      args.some((other) => /(?:^|:)(?:build|test|check|assemble)$/.test(other.text));
    worst = worse(worst, cleans ? safe(id) : task);
  }
  return args.length === 0 ? unknown(id, "runs a task that is not named") : worst;
});

const MAVEN = options(
  "-0 -q --quiet -B --batch-mode -ntp --no-transfer-progress -o --offline -e --errors -X --debug -T: --threads: -pl: --projects: -am --also-make -amd --also-make-dependents -rf: --resume-from: -fae --fail-at-end -ff --fail-fast -fn --fail-never -N --non-recursive -U --update-snapshots -P: --activate-profiles: -DskipTests -DskipITs -Dmaven.test.skip -Dtest -Dit.test -DfailIfNoTests -Dsurefire.failIfNoSpecifiedTests -DfailIfNoSpecifiedTests -Dgroups -Dincludes -Dexcludes -Dverbose -Dstyle.color -Dcheckstyle.skip -Dspotbugs.skip -Djacoco.skip -Dmaven.javadoc.skip -v -V --version --show-version -f@ --file@ --no-snapshot-updates -nsu -C -c --strict-checksums -Dspring.profiles.active -Dsurefire.useFile -DtrimStackTrace",
);
const MAVEN_SAFE =
  /^(?:validate|compile|test-compile|test|package|verify|integration-test|process-resources|process-test-resources|process-classes|generate-sources|generate-resources|site|dependency:tree|dependency:list|dependency:analyze|dependency:resolve|checkstyle:check|spotbugs:check|pmd:check|pmd:cpd-check|spotless:check|surefire:test|failsafe:integration-test|failsafe:verify|help:effective-pom|help:describe|help:active-profiles|help:evaluate|enforcer:enforce|jacoco:report|jacoco:check|javadoc:javadoc|versions:display-dependency-updates|versions:display-plugin-updates|fmt:check|compiler:compile|compiler:testCompile|license:check|ktlint:check|detekt:check|revapi:check|animal-sniffer:check)$/;

const maven: Rule = code((args, id, starts) => {
  let worst = starts.rule(safeWith(MAVEN, { words: "any" }), args, id);
  const words = args.filter(
    (arg, i) => !arg.prefix.startsWith("-") && (MAVEN.get(args[i - 1]?.text ?? "") ?? "nothing") === "nothing",
  );
  for (const arg of words) {
    if (arg.literal && arg.text === "clean" && words.length > 1) continue;
    worst = worse(worst, arg.literal ? goal(arg.text, id) : unknown(id, "which goal it is shows only when it runs"));
  }
  const version = args.some((arg) => /^(?:-v|--version)$/.test(arg.text));
  return words.length === 0 && !version ? unknown(id, "runs a goal that is not named") : worst;
});

function goal(name: string, id: string): PartRisk {
  const rule = `${id}.${name.replace(/[^\w-]+/g, "-")}`.slice(0, 60);
  if (MAVEN_SAFE.test(name)) return safe(rule);
  if (
    /^(?:deploy|site-deploy|release|jib|docker|nexus|gpg|scm|wagon)|:deploy|:push|:release|:perform|:prepare/.test(name)
  )
    return risky(rule, "deploy", "publishes");
  if (/^(?:flyway|liquibase|sql):?/.test(name)) return risky(rule, "migrate", "changes a database");
  if (/^(?:install|wrapper|dependency:get|dependency:go-offline|dependency:purge|versions:)/.test(name))
    return risky(rule, "install", "installs or changes packages");
  return name === "clean"
    ? risky(rule, "destructive", "deletes what was built")
    : unknown(rule, `${name} is not a goal known to be safe`);
}

const install = risk("install", "installs or changes packages");

export const jvm: Table = {
  ...each("gradle gradlew", gradle),
  ...each("mvn mvnw mvnd", maven),
  ant: safeWith("-q -v -p", { words: /^(?:test|check|build|compile|jar|dist|lint|javadoc)$/ }),
  sbt: safeWith("-batch -no-colors -v", {
    words:
      /^(?:clean ?;? ?)?(?:[\w-]+\/)?(?:test|compile|Test\/compile|test:compile|scalafmtCheck|scalafmtCheckAll|scalafmtSbtCheck|package|doc|dependencyTree|testOnly [\w.*-]+|testQuick|it:test|scalafixAll --check|mimaReportBinaryIssues)$/,
  }),
  lein: verbs({
    "test check version": safeWith("", { words: "none" }),
    deps: install,
    "deploy release": risk("deploy", "publishes"),
    clean: risk("destructive", "deletes what was built"),
  }),
  ...each("clj clojure", asks("runs code of the line")),
  ...each(
    "bazel bazelisk",
    verbs(
      {
        "build test coverage": bazel(),
        "query cquery aquery info version": safeWith("--output: --noimplicit_deps --notool_deps --keep_going -k", {
          words: "any",
        }),
        run: asks("runs the project's program"),
        clean: risk("destructive", "deletes what was built"),
        "sync fetch mod": install,
        shutdown: asks("ends a server"),
      },
      { options: "--noshow_progress" },
    ),
  ),
  java: safeWith("-version --version", { words: "none" }),
  javac: safeWith("-version --version -Xlint -Xlint:all -Werror -d> -cp: -proc:none --release: -encoding:", {}),
  ...each("kotlinc scalac groovyc", safeWith("-version", { words: "none" })),
  ...each("jps jstack jinfo jstat javap", safeWith("-l -m -v -q -c -p -s -private -public -cp:")),
  ...each("ktlint google-java-format detekt scalafmt", formatter()),
  ...each("sdk jenv jabba coursier cs jbang", verbs({ "current version": safeWith("") }, { other: install })),
};

function bazel(): Rule {
  return safeWith(
    "-0 -k --keep_going --test_output: --test_filter: --test_arg: -c: --compilation_mode: --config: --nocache_test_results --cache_test_results: --runs_per_test: --jobs: -j: --verbose_failures --test_tag_filters: --build_tag_filters: --noshow_progress --color: --curses: --test_summary: --local_test_jobs: --test_timeout: --combined_report: --nobuild --test_size_filters: --flaky_test_attempts: --build_tests_only",
    { words: "any" },
  );
}

function formatter(): Rule {
  return code((args, id, starts) => {
    const checks =
      id === "ktlint" ||
      id === "detekt" ||
      args.some((arg) => /^(?:--check|--dry-run|-n|--set-exit-if-changed|--test|--list)$/.test(arg.text));
    return checks
      ? starts.rule(
          safeWith(
            "--check --test --list --dry-run -n --set-exit-if-changed --reporter# --color --relative -l: --log-level: --input: -i: --config@ -c@ --build-upon-default-config --all-rules --excludes: --includes: --editorconfig@ --parallel",
          ),
          args,
          id,
        )
      : unknown(id, "writes files");
  });
}
