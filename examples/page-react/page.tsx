// A session's terminal, or its commands, in a React page. The browser's cookie says who it is.
import { connect } from "duetty/client";
import { type DuettyTerminal, defineDuettyTerminal } from "duetty/element";
import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";

defineDuettyTerminal();
const duo = await connect();
const { sessions } = await duo.pty_list();

function Terminals() {
  const [session, choose] = useState(sessions[0]?.session_id);
  const [view, look] = useState<"terminal" | "transcript">("terminal");
  const [phase, setPhase] = useState("connecting");
  const terminal = useRef<DuettyTerminal>(null);
  return (
    <main>
      <select aria-label="Session" value={session} onChange={({ target }) => choose(target.value)}>
        {sessions.map(({ session_id, name }) => (
          <option key={session_id} value={session_id}>
            {name ?? session_id}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => look(view === "terminal" ? "transcript" : "terminal")}>
        {view === "terminal" ? "Show its commands" : "Show the terminal"}
      </button>
      <button type="button" onClick={() => terminal.current?.write("date\r")}>
        Run date
      </button>
      <output>{phase}</output>
      <duetty-terminal
        ref={terminal}
        session={session}
        view={view}
        onduetty-state={({ detail }) => setPhase(detail.phase)}
        onduetty-error={({ detail }) => setPhase(detail.message)}
      />
    </main>
  );
}

const page = document.getElementById("page");
if (page) createRoot(page).render(<Terminals />);
