// Database clients and migration tools. We do not parse SQL on the line, and a database may be anywhere: at best it is asked.
import { type PartRisk, risky, unknown } from "../risk.ts";
import { asks, code, each, risk, type Starts, type Table, verbs } from "../spec.ts";
import type { Arg } from "../words.ts";

const migrate = risk("migrate", "changes a database");
const looks = asks("asks a database");

const CHANGES =
  /\b(?:drop|truncate|delete|alter|update|insert|create|grant|revoke|replace|merge|copy|call|vacuum|reindex|set|do|flushall|flushdb|shutdown|del|remove|deleteMany|deleteOne|dropDatabase)\b/i;

/** Their databases are files, which a box holds. */
const IN_FILES = new Set(["sqlite3", "litecli", "duckdb"]);

function client(args: readonly Arg[], id: string, starts: Starts): PartRisk {
  const said = statements(args, id, starts);
  return said.class === "risky" && IN_FILES.has(id) ? { ...said, heldBy: "box" } : said;
}

function statements(args: readonly Arg[], id: string, { input }: Starts): PartRisk {
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
    "createdb createuser pg_restore mongorestore mysqlimport mongoimport pg_upgrade initdb reindexdb vacuumdb clusterdb mysqladmin pt-archiver",
    migrate,
  ),
  ...each("pg_dump pg_dumpall mysqldump mongodump mongoexport pg_isready", looks),
  ...each(
    "flyway liquibase dbmate migrate sqitch dbdeploy schemahero bytebase pgroll reshape skeema gh-ost pt-online-schema-change yoyo aerich mikro-orm-cli sqlx-cli atlas-cli evolve roundhouse",
    verbs(
      { "info status validate version help": looks },
      { other: migrate, bare: migrate, options: "-url: --url: -e: --env: -configFiles@ -source: -database: -path@" },
    ),
  ),
  dbt: verbs(
    { "parse compile ls list debug test build": looks, deps: risk("install", "installs packages") },
    { other: migrate, options: "--version --quiet -q" },
  ),
};
