// Lines that once ran without a question, and others of their kinds. Each group is named after what let it through.
import { expect, test } from "vitest";
import { classify } from "../../../src/core/gate/risk/classify.ts";

const GROUPS: Readonly<Record<string, string>> = {
  "B1: a value that becomes several words": `
find . -maxdepth $(echo 0 -exec touch X ';')
find . -name $(echo v -delete)
find . -name *.js
find . -newer $x
find $(echo . -delete)
echo a | xargs -n $(echo 1 touch X) echo
echo a | xargs -P $n echo
xargs -I $(echo {}) echo
bash -o $(echo posix -c x) -c 'echo hi'
bash -o $x -c 'echo hi'
awk -F $(echo , -f x) 1 x
awk -F $x 1 x
awk -v $(echo a=1) 1 x
sed -n $(echo -i) f
sed -e $x f
sort -k $(echo 1 -o x) f
sort -t $x f
timeout $(echo 5 touch x) ls
nice -n $(echo 5 touch x) ls
stdbuf -o$(echo L touch x) ls
pytest -k $(echo x --junitxml=src.py)
npm test -- $x
make -j $(echo 4 -f /tmp/x)
git log -n $(echo 1 --output=x)
jq -r $(echo -f x) f
rg -e $(echo x --pre=sh) f
tar tf $(echo x --to-command=sh)
test $(echo -v 'a[$(x)]')
cd $(echo -- /tmp)`,
  "B2: code that a pattern did not see": String.raw`
awk 'BEGIN{system\
("touch x")}'
awk 'BEGIN{system ("x")}'
awk 'BEGIN{"x"|getline}'
awk 'BEGIN{print "x" | "sh"}'
awk 'BEGIN{print 1 > "x"}'
awk 'BEGIN{f="sys" "tem"; @f("x")}'
awk 'BEGIN{ARGV[1]="/etc/shadow";ARGC=2}1'
awk 'BEGIN{print ENVIRON["X"]}'
sed -n '1e touch x'
sed 's/a/b/e' f
sed 's/a/b/w x' f
sed --expression='w x' f`,
  "B3: an entry that is an interpreter": `
sqlite3 :memory: '.shell touch X'
python3 evil.py
node x.js
python3 -m doctest f.txt
python3 -m doctest /dev/stdin
python3 -m pdb x.py
python3 -m timeit x
python3 -m cProfile x.py
yarn workspaces foreach -A exec sh -c 'touch x' run test
yarn workspaces foreach -A node -e 1 run test
tox -x testenv.commands=touch
tox -x testenv.commands_pre=touch -e py
nox -f x.py
msbuild -p:CustomBeforeMicrosoftCommonTargets=x a.sln
dotnet test -e LD_PRELOAD=x
cabal test -w /tmp/ghc
cabal build --ghc-options=-pgmF=x
stack build --ghc-options=-pgmF=x
uv run -p /tmp/py pytest
uv run --python /tmp/py pytest
uv run --python-platform=x pytest
phpcs --standard=/tmp/x src
phpcs --standard=evil.xml src
clang-tidy a.c -- -Xclang -load -Xclang x.so
clang-tidy a.c --extra-arg=-fplugin=x
gcc -fplugin=x a.c
gcc -B x a.c
cloc --vcs='touch x' .
npx lab
npx some-package
npx -y cowsay
bunx cowsay
npm exec cowsay
git -C sub status
git -C sub log
cd sub && git status
cd sub; git diff
git --git-dir=sub/.git status
git --work-tree=sub status
env -C sub git status
sh -c 'cd sub; git status'
ruby -c`,
  "B3: a file that would be overwritten": `
gcc -E - -o Makefile
gcc -E - -o configure
gcc x.c -o gradlew
clang -S x.c -o package.json
pylint --output-format=text:/tmp/x --msg-template=hi a.py
pylint --output-format=text:src.py a.py
pylint -f text:src.py a.py
pytest --cov-report=xml:/tmp/x
pytest --cov-report=xml:src.py
pytest --cov-report html:../x
pytest --junitxml=src.py
pytest --junitxml=package.json
pytest --junit-xml /tmp/x.xml
pytest --html=index.html
rustc --print cfg=/tmp/x
rustc --print=cfg=src.rs
go test -coverprofile=main.go ./...
go test -coverprofile /tmp/x ./...
gotestsum --junitfile=go.mod
ctest --output-junit CMakeLists.txt
coverage xml -o setup.py
coverage html -d /tmp/x
jest --coverageDirectory=src
esbuild a.ts --outfile=package.json
esbuild a.ts --outdir=/tmp/x
cargo test --target-dir /tmp/x
cargo llvm-cov --output-path Cargo.toml
javac -d src A.java
tox --result-json setup.cfg
sort -o x y
uniq a b
tree -o x
git log --output=x`,
  "B3: a runner that leaves the workspace": `
prove /tmp/x.t
prove ../x.t
prove -I/tmp/x t
node --test /tmp/x.js
node --test /proc/self/fd/0
node --test <(echo 1)
node --test --test-reporter=/tmp/x.js
mocha /dev/stdin
mocha ~/x.js
karma start /tmp/k.js
karma start ../k.js
cd /tmp/evil && make test
cd .. && make test
cd && make test
cd - && make test
cd "$x" && make test
pushd /tmp/evil && make test
env -C /tmp/evil make test
env --chdir=/tmp/evil make test
make -C /tmp/evil test
make --directory=/tmp/evil test
make -C.. test
make SHELL=/tmp/x test
npm --prefix /tmp/evil test
npm test --prefix=/tmp/evil
npm -C /tmp/evil test
yarn --cwd /tmp/evil test
pnpm -C /tmp/evil test
pnpm --dir=../x test
bun --cwd /tmp/evil test
cargo test --manifest-path /tmp/Cargo.toml
go test -C /tmp ./...
go test /tmp/x
go vet ../x
pytest /tmp/x.py
pytest --rootdir=/tmp/x
pytest -c /tmp/x
python3 -m pytest /tmp/x
python3 -m unittest discover -s /tmp/x
coverage run -m pytest /tmp/x
poetry -C /tmp/x run pytest
uv --directory /tmp/x run pytest
rspec -I /tmp t
bundle exec rspec /tmp/x
rake -f /tmp/x test
ruby -Itest /tmp/a_test.rb
ruby -c /tmp/x
mix test /tmp/x
swift test --package-path /tmp/x
dotnet test /tmp/x.csproj
gradle -p /tmp/x test
./gradlew -p ../x test
mvn -f /tmp/pom.xml test
deno test /tmp/x.ts
bun test /tmp/x
phpunit /tmp/x
phpunit -c /tmp/x
composer -d /tmp/x test
just -f /tmp/x test
task -d /tmp/x test
flutter test /tmp/x
zig test /tmp/x
meson test -C /tmp/x
ninja -C /tmp/x
cmake --build /tmp/x
ctest --test-dir /tmp/x
bats /tmp/x
playwright test -c /tmp/x
cypress run -P /tmp/x
eslint -c /tmp/x.js .
eslint -f /tmp/x.js .
jest --config=/tmp/x
vitest run --config ../x
tsc -p /tmp/x
ruff check --config /tmp/x .
mypy --config-file=/tmp/x .
pylint --rcfile=/tmp/x a.py
helm template /tmp/x
terraform -chdir=/tmp/x validate
docker compose -f /tmp/x ps`,
  "m: what is shown of the environment": String.raw`
ps eww
ps auxe
ps auxeww
ps axe
ps -E
ps -o environ
ps -eo pid,environ
jq -n env
jq -n '$ENV'
jq -n '[env|keys]'
jq -n '$__prog_args'
env
printenv
export -p
declare -x
typeset -p
set
compgen -e
cat /proc/self/environ
cat /proc/self/envir*
cat /proc/*/environ
cat /proc/$PPID/environ
cat /proc/{1,2}/environ
tr '\0' '\n' < /proc/self/environ
strings /proc/1/environ
head -c 100 /proc/1/mem
xargs -0 -a /proc/self/environ echo
make -p
make -np test
docker inspect app
docker compose config`,
  "m: what leaves by a name or an address": `
getent hosts data.x
getent ahosts data.x
getent ahostsv4 data.x
xmllint --schema http://x/a a.xml
xmllint --relaxng ftp://x a.xml
xmllint --dtdvalid http://x a.xml
xmllint --valid a.xml
dig data.x
host data.x
deno test https://x/a.ts
deno check --remote a.ts
eslint --config=https://x/y .
helm template https://x/y
spectral lint -r https://x/y a.yml
redocly lint https://x/y`,
  "m: what is asked with the person's credentials": `
kubectl get pods
kubectl get secret -o yaml
kubectl logs x
kubectl config view
oc get pods
helm list
helm get values x
aws s3 ls
aws sts get-caller-identity
aws ec2 describe-instances
gcloud projects list
gsutil ls
az account show
doctl compute droplet list
heroku config
heroku logs
flyctl status
vercel ls
gh pr list
gh auth status
gh api user
gh search code x
glab mr list
terraform show
terraform state list
pulumi stack
argocd app list
flyway info
pg_isready -h x
psql -c 'select 1'`,
  "m: a variable that does more than it says": `
LOG=x npm test
GORACE=log_path=/tmp/x go test
DJANGO_SETTINGS_MODULE=evil pytest
CI=/tmp/x npm test
CI=$x npm test
DEBUG=/tmp/x npm test
TERM=$x ls
RAILS_ENV=production rspec
MIX_ENV=prod mix test
TEST_CMD=x npm test
HOST=x npm test
XDEBUG_MODE=debug phpunit`,
  "a read that leaves the workspace": `
base64 /tmp/h/perso?.tok*
cat /tmp/h/p*
cat /tmp/h/x
cat ~/.s*h/id*
cat "$HOME"/x
head $HOME/x
cat $(echo /root/.x)
find ~ -type f -exec cat {} +
find /tmp/h -type f -exec cat {} +
find / -name x -exec cat {} +
grep -r . /root
grep -r . ~
grep -e x /root/y
rg x /root
rg -e x ../..
for f in /root/*; do cat "$f"; done
for f in /root/x; do cat "$f"; done
cat < /root/x
diff /root/x a
sort /root/x
cut -c1- /root/x
cat ../../x
echo /root/*
echo ~/.s*/*
cat /dev/sda
bash -n /root/x
jq . /root/x
awk 1 /root/x
sed -n p /root/x
shellcheck /root/x
xxd /root/x`,
};

/** A line that begins with a parenthesis goes on with the one before. */
const cases = Object.entries(GROUPS).map(([name, text]) => [name, text.trim().split(/\n(?!\()/)] as const);

test.each(cases)("%s is not safe", (_, lines) => {
  expect(lines.filter((line) => classify(line).class === "safe")).toEqual([]);
});

test("the same programs stay safe inside the workspace", () => {
  const lines = `
find . -name '*.js' -maxdepth 2
find src -type f | xargs grep -n foo
git ls-files | xargs wc -l
awk -F, '{print $1}' data.csv
sed -n '1,20p' src/a.ts
sort -t, -k2 data.csv
make -j$(nproc) test
pytest --junitxml=build/junit.xml --cov-report=term-missing
pytest --cov-report xml tests/test_a.py::TestA
go test -coverprofile=coverage.out ./...
node --test test/*.test.js
cd packages/core && npm test
git --no-pager log --oneline -5 --grep='/api'
git diff HEAD~1 -- src/a.ts
grep -rn "/api/v1" src
rg '/api' src
cat /etc/os-release
head -5 /var/log/syslog
ps aux
ps -ef | grep node
ps aux --sort=-%mem | head
jq '.scripts' package.json
CI=1 npm test
NODE_ENV=test npx vitest run
for f in src/*.ts; do head -3 "$f"; done
gcc -c main.c -o build/main.o
docker ps
docker logs app`.trim();
  expect(lines.split("\n").filter((line) => classify(line).class !== "safe")).toEqual([]);
});
