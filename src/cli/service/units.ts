// What systemd and launchd read to start the daemon when its person logs in. Pure.

export interface ServiceSpec {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Variables that the login does not set. */
  readonly env: Readonly<Record<string, string>>;
}

export const LABEL = "dev.duetty.daemon";

/** Stopping or replacing the daemon ends only itself: the sessions live in the holder, which stays. */
export function systemdUnit({ command, env }: ServiceSpec): string {
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
  return `[Unit]
Description=duetty: terminal sessions that a person and agents share

[Service]
ExecStart=${command.map((word) => quoted(word.replaceAll("$", "$$$$"))).join(" ")}
${variables.join("")}Restart=on-failure
RestartSec=2
KillMode=process

[Install]
WantedBy=default.target
`;
}

/** A percent sign begins a specifier. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}

export function launchdPlist({ command, env }: ServiceSpec): string {
  const words = command.map((word) => `    <string>${escaped(word)}</string>\n`);
  const variables = Object.entries(env).map(
    ([name, value]) => `    <key>${escaped(name)}</key>\n    <string>${escaped(value)}</string>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.join("")}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join("")}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
