// Database clients and migration tools. We do not parse SQL on the line, so at best it is asked.

import { type PartRisk, risky, unknown } from "../risk.ts";
import { any, asks, code, each, type Rule, risk, type Starts, safeWith, type Table, verbs, when } from "../spec.ts";
import type { Arg } from "../words.ts";

const migrate = risk("migrate", "changes a database");

const CHANGES =
  /\b(?:drop|truncate|delete|alter|update|insert|create|grant|revoke|replace|merge|copy|call|vacuum|reindex|set|do|flushall|flushdb|shutdown|del|remove|deleteMany|deleteOne|dropDatabase)\b/i;

function client(args: readonly Arg[], id: string, { input }: Starts): PartRisk {
  if (input !== "terminal") return risky(`${id}.stdin`, "migrate", "runs what it is fed");
  if (args.some((arg) => /^(?:-f|--file)/.test(arg.prefix)))
    return risky(`${id}.file`, "migrate", "runs a file of statements");
  const says = args.map((arg) => arg.text).join(" ");
  return CHANGES.test(says)
    ? risky(id, "migrate", "a statement that may change data")
    : unknown(id, "runs statements, or waits for them");
}

export const database: Table = {
  ...each(
    "psql mysql mariadb sqlite3 mongosh mongo redis-cli cqlsh clickhouse-client sqlcmd mssql-cli pgcli mycli litecli duckdb influx neo4j-client cypher-shell sqlplus usql snowsql valkey-cli",
    code(client),
  ),
  ...each("dropdb dropuser", risk("destructive", "deletes a database")),
  ...each(
    "createdb createuser pg_restore mongorestore mysqlimport mongoimport pg_upgrade initdb reindexdb vacuumdb clusterdb mysqladmin",
    migrate,
  ),
  ...each("pg_dump pg_dumpall mysqldump mongodump mongoexport", asks("reads a whole database")),
  pg_isready: safeWith("-h: -p: -d: -U: -t: -q"),
  pg_config: any,
  ...each(
    "flyway liquibase dbmate migrate sqitch dbdeploy schemahero bytebase pgroll reshape skeema gh-ost pt-online-schema-change yoyo aerich mikro-orm-cli sqlx-cli atlas-cli evolve roundhouse",
    migrations(),
  ),
  "pt-archiver": migrate,
  dbt: verbs(
    {
      "parse compile ls list debug": safeWith(
        "-s: --select: -m: --models: --exclude: --target: -t: --profiles-dir@ --project-dir@ --output: --resource-type:",
      ),
      "test build": asks("runs against a database"),
      deps: risk("install", "installs packages"),
    },
    { other: migrate, options: "--version --quiet -q --no-partial-parse" },
  ),
};

function migrations(): Rule {
  const seen = safeWith(
    "-0 -url: --url: -e: --env: -d@ --migrations-dir@ --config@ --changelog-file@ --defaults-file@ -configFiles@",
  );
  return when(
    "--version -v",
    safeWith("--version -v"),
    verbs(
      { "info status validate version help": seen },
      {
        other: migrate,
        bare: migrate,
        options:
          "-url: --url: -e: --env: -d@ --migrations-dir@ -configFiles@ --changelog-file@ -source: -database: -path@ --defaults-file@",
      },
    ),
  );
}
