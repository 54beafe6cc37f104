// Options of test runners, linters and builds that a script passes on. They choose what runs and how much it prints. Options
// that write (--fix, -u), load code (--config from elsewhere, --require) or keep running are not here.
import { options } from "../spec.ts";

export const passed = options(`
  -0 -t: -k: -x -v -vv -q -s -i -b --run --watch=false --watchAll=false --no-watch --once --coverage --no-coverage --cov --ci
  --silent --verbose --quiet --bail --exit --runInBand --maxWorkers: --max-workers --workers: --testNamePattern: --testPathPattern:
  --testPathPatterns: --testPathIgnorePatterns: --grep: -g: --filter: --reporter# --reporters# --timeout: --testTimeout: --retries:
  --shard: --project: --browser: --browsers: --headless --single-run --no-progress --progress=false --color --no-color --colors
  --max-warnings: --noEmit --passWithNoTests --forceExit --detectOpenHandles --logHeapUsage --onlyChanged --changedSince: --only
  --related --findRelatedTests --listTests --showConfig --stats --mode: --prod --production --configuration: --spec: --dry-run
  --check --format# -f# --ext: --nocapture --test-threads: --ignored --include-ignored --exact --skip: --show-output -D: -W: -A: -F:
  --pool: --no-file-parallelism --sequence.shuffle --typecheck --debug --tests: --invert --sort --parallel --no-parallel --allowOnly
  --ignore-pattern: --no-cache --seed: --randomize --failed --lf --ff --maxfail: --tb: --durations: -n: -m: --all --affected
`);
