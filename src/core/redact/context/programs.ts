// Which arguments of which programs are passwords. Data, read by commands.ts.
// attached: -pPW. next: -p PW. either: both. pair: user:PW. percent: user%PW. comma: user,PW. literal: name=PW.

export type ArgumentForm = "attached" | "next" | "either" | "pair" | "percent" | "comma" | "literal";

interface ProgramArguments {
  readonly flags: Readonly<Record<string, ArgumentForm>>;
  /** Only with this word among the arguments: `docker run -p` is a port. */
  readonly verb?: string;
}

const of = (names: string, flags: ProgramArguments["flags"], verb?: string): [string, ProgramArguments][] =>
  names.split(" ").map((name) => [name, verb === undefined ? { flags } : { flags, verb }]);

export const PROGRAMS: ReadonlyMap<string, ProgramArguments> = new Map([
  ...of(
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mariadb mariadb-dump mariadb-admin mycli",
    {
      "-p": "attached",
    },
  ),
  ...of("sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh", { "-p": "either" }),
  ...of("docker podman nerdctl helm az buildah skopeo oras", { "-p": "next" }, "login"),
  ...of("oc argocd", { "-p": "next" }, "login"),
  ...of("curl", {
    "-u": "pair",
    "--user": "pair",
    "-U": "pair",
    "--proxy-user": "pair",
    "--pass": "next",
    "--oauth2-bearer": "next",
  }),
  ...of("http https xh xhs", { "-a": "pair", "--auth": "pair" }),
  ...of("wget", { "--password": "next", "--http-password": "next", "--ftp-password": "next" }),
  ...of("redis-cli", { "-a": "next", "--pass": "next" }),
  ...of("ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami", { "-w": "next", "-s": "next" }),
  ...of("smbclient rpcclient smbmap winexe", { "-U": "percent", "-p": "next" }),
  ...of("zip unzip zipcloak", { "-P": "next" }),
  ...of("7z 7za 7zz rar unrar", { "-p": "attached" }),
  ...of("sqlcmd bcp isql tsql mosquitto_pub mosquitto_sub", { "-P": "either" }),
  ...of("snmpwalk snmpget snmpset snmpbulkwalk snmptable", { "-c": "next", "-A": "next", "-X": "next" }),
  ...of("useradd usermod rdesktop rabbitmqadmin psexec", { "-p": "next" }),
  ...of("gh", { "--body": "next", "-b": "either" }, "secret"),
  ...of("aws", { "--value": "next" }, "put-parameter"),
  ...of("security", { "-w": "next" }, "add-generic-password"),
  ...of("lftp", { "-u": "comma" }),
  ...of("plink pscp psftp putty", { "-pw": "next" }),
  ...of("ssh-keygen", { "-N": "next", "-P": "next" }),
  ...of("openssl", { "-k": "next" }),
  ...of("kubectl k3s", { "--from-literal": "literal" }),
  ...of("ipmitool", { "-P": "next" }),
  ...of("xfreerdp xfreerdp3 wlfreerdp", { "/p:": "attached" }),
]);
