// .NET.
import { any, asks, each, needs, risk, safeWith, type Table, verbs } from "../spec.ts";

const BUILD =
  "-0 -c: --configuration: -f: --framework: -r: --runtime: --no-restore --no-build --no-incremental -v: --verbosity: --nologo -nologo -m --self-contained --no-self-contained --no-dependencies -warnaserror --warnaserror -p:TreatWarningsAsErrors -p:Configuration -p:CI --tl: -tl --disable-build-servers --os: -a: --arch: -graph -warnAsError";
const install = risk("install", "installs or changes packages");

export const dotnet: Table = {
  dotnet: verbs(
    {
      "build msbuild": safeWith(BUILD),
      test: safeWith(
        `${BUILD} --filter: -l: --logger: --collect: --blame --blame-hang --blame-hang-timeout: -t --list-tests --results-directory> -s@ --settings@ --project@ --solution@ --coverage --minimum-expected-tests:`,
      ),
      format: needs(
        "--verify-no-changes",
        safeWith(
          "--verify-no-changes --no-restore -v: --verbosity: --severity: --include: --exclude: --include-generated --diagnostics:",
          { words: /^(?:whitespace|style|analyzers|[\w./-]+\.(?:sln|slnx|csproj|fsproj)|\.)$/ },
        ),
        "writes files",
      ),
      list: safeWith(
        "--outdated --vulnerable --deprecated --include-transitive --framework: --format: --include-prerelease",
        { words: "any" },
      ),
      "--info --version --list-sdks --list-runtimes": any,
      sln: verbs({ list: any }, { other: asks("writes files") }),
      "restore add remove tool workload new package reference": install,
      nuget: risk("deploy", "publishes or changes packages"),
      publish: risk("deploy", "publishes"),
      pack: asks("writes packages"),
      ef: verbs(
        {
          migrations: verbs(
            {
              list: safeWith("--no-build --project@ --json"),
              "has-pending-model-changes": safeWith("--no-build --project@"),
            },
            { other: risk("migrate", "changes migrations") },
          ),
          dbcontext: verbs({ "list info": safeWith("--no-build --project@ --json") }),
        },
        { other: risk("migrate", "changes a database") },
      ),
      clean: risk("destructive", "deletes what was built"),
      "run watch exec fsi": asks("runs the project's program"),
      "user-secrets dev-certs": risk("privilege", "changes secrets or certificates"),
    },
    {
      options: "--info --version --list-sdks --list-runtimes -d --diagnostics",
      bare: safeWith("--info --version --list-sdks --list-runtimes -h --help"),
    },
  ),
  nuget: verbs({ "list locals": safeWith("-AllVersions") }, { other: install }),
  csharpier: verbs({ check: safeWith("") }, { other: asks("writes files") }),
  ...each("fantomas", needs("--check", safeWith("--check -r --recurse"), "writes files")),
};
