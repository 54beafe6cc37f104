// Flutter, Dart, Xcode, Android.
import { any, asks, each, needs, risk, safeWith, type Table, verbs, when } from "../spec.ts";

const install = risk("install", "installs or changes packages");
const writes = asks("writes files");
const dartTest = safeWith(
  "-0 -n: --name: -N: --plain-name: -t: --tags: -x: --exclude-tags: -p: --platform: -j: --concurrency: --coverage -r# --reporter# --fail-fast --run-skipped --timeout: --total-shards: --shard-index: --test-randomize-ordering-seed: --no-pub --machine --color --no-color --dart-define: --branch-coverage --no-test-assets --chain-stack-traces",
);
const analyze = safeWith(
  "--fatal-infos --fatal-warnings --no-fatal-infos --no-fatal-warnings --no-pub --format: --watch=false --no-preamble --congratulate --suppress-analytics",
);
const format = needs(
  "--set-exit-if-changed",
  when("-o --output", safeWith("-o# --output# --set-exit-if-changed -l: --line-length: --show:"), writes),
  "writes files",
);
const pub = verbs(
  {
    "deps outdated": safeWith("--json --style: -s: --no-dev --no-dev-dependencies --show-all"),
    publish: risk("deploy", "publishes"),
    run: asks("runs a program that is not known"),
  },
  { other: install },
);

export const mobile: Table = {
  ...each(
    "flutter dart fvm",
    verbs(
      {
        test: dartTest,
        analyze,
        format,
        pub,
        build: safeWith(
          "-0 --debug --release --profile --no-pub --no-codesign --simulator --target-platform: --flavor: -t@ --target@ --dart-define: --split-per-abi --build-number: --build-name: -v --web-renderer: --wasm --tree-shake-icons",
          { words: /^(?:apk|appbundle|ios|web|linux|macos|windows|bundle|aar|ipa)$/ },
        ),
        "doctor devices --version emulators": safeWith("-v --verbose --machine"),
        fix: when("--apply", writes, needs("--dry-run -n", safeWith("--dry-run -n"), "writes files")),
        "run attach drive": asks("runs the project's program"),
        "upgrade downgrade channel precache create install": install,
        clean: risk("destructive", "deletes what was built"),
        compile: writes,
        "gen-l10n config": writes,
        info: any,
      },
      { options: "-v --version --no-version-check --suppress-analytics -d: --device-id:", bare: asks("not a verb") },
    ),
  ),
  xcodebuild: safeWith(
    "-0 -list -version -showsdks -showBuildSettings -showdestinations -project@ -workspace@ -scheme: -target: -configuration: -sdk: -destination: -quiet -only-testing: -skip-testing: -parallel-testing-enabled: -enableCodeCoverage: -derivedDataPath> -json",
    { words: /^(?:build|test|analyze|build-for-testing|test-without-building)$/ },
  ),
  xcrun: asks("runs a program that is not known"),
  adb: asks("reads or changes a device"),
  ...each("emulator avdmanager sdkmanager melos", install),
  ...each(
    "react-native expo eas",
    verbs(
      {
        "start run-android run-ios": asks("stays"),
        "build submit update publish": risk("deploy", "builds or deploys elsewhere"),
      },
      { other: install },
    ),
  ),
};
