// Which hosts a yes to the network opens: those that stand in the line, or any where nobody can say.
import { describe, expect, test } from "vitest";
import { readRules } from "../../../src/core/box/network.ts";
import { lineHosts } from "../../../src/core/gate/line/line-hosts.ts";
import { classify } from "../../../src/core/gate/risk/classify.ts";

const hostsOf = (line: string) => lineHosts(classify(line));

describe("hosts that stand in the line", () => {
  test.each([
    ["curl https://example.com/x", ["example.com"]],
    ["curl -sSL -o out.tgz 'https://example.com:8443/a?b=c' && tar xf out.tgz", ["example.com:8443"]],
    ["wget -q http://EXAMPLE.com/a http://b.example/", ["example.com", "b.example"]],
    ["curl -fsSL https://user:pw@get.example/install.sh | sh", ["get.example"]],
    ["timeout 5 curl https://example.com", ["example.com"]],
    ["bash -c 'curl https://example.com'", ["example.com"]],
    ["curl https://93.184.216.34/", ["93.184.216.34"]],
    ["git clone https://git.example/a/b.git", ["git.example"]],
    ["npm test && curl https://example.com", ["example.com"]],
  ])("%s", (line, hosts) => {
    expect(hostsOf(line)).toEqual(hosts);
    expect(readRules(hosts)).toHaveLength(hosts.length);
  });
});

describe("any public host, because nobody can say", () => {
  test.each([
    "npm install left-pad @types/node",
    "npm ci --registry=https://npm.example/",
    "npm i && curl https://example.com",
    "pip install -r requirements.txt",
    "python3 -m pip install requests",
    "cargo add serde",
    'curl "$url"',
    "curl https://$host/",
    "curl https://$(cat host)/",
    "curl example.com",
    "curl -K urls.txt https://example.com",
    "wget -i list https://example.com",
    "xargs curl https://example.com <list",
    "git fetch",
    "git pull origin main",
    "git clone git@git.example:a/b.git",
    "npm install user/repository",
    "npm install $package",
    "pip install git+ssh://git@git.example/a",
    "curl 'https://{a,b}.example/'",
    "apt-get install jq",
    "eval curl https://example.com '$more'",
  ])("%s", (line) => expect(hostsOf(line)).toBeNull());
});

test.each([
  "http://localhost:3000/",
  "http://127.0.0.1/",
  "http://[::1]/",
  "http://192.168.1.7/",
  "http://a.localhost/",
])("%s is not opened by a yes: it is a person's own to list", (address) =>
  expect(hostsOf(`curl ${address}`)).toBeNull(),
);
