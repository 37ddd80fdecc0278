//! `vib mcp`: grants at the terminal, and the server as a process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::Sandbox;

use super::shop;

/// vib on a terminal, with these keys typed ahead.
#[cfg(unix)]
pub(crate) fn on_a_terminal(sandbox: &Sandbox, arguments: &[&str], keys: &str) -> (String, bool) {
    use std::io::Read;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let side = || std::fs::OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = sandbox.command(arguments);
    command.env("NO_COLOR", "1").stdin(side()).stdout(side()).stderr(side());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut terminal = std::fs::File::from(terminal);
    terminal.write_all(keys.as_bytes()).unwrap();
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(length) = terminal.read(&mut buffer)
        && length > 0
    {
        seen.extend_from_slice(&buffer[..length]);
    }
    (String::from_utf8_lossy(&seen).replace("\r\n", "\n"), child.wait().unwrap().success())
}

#[test]
fn only_a_person_at_a_terminal_grants_mc2() {
    let shop = shop();
    let error = shop.error(&["mcp", "grant", "cursor", "recovery_apply"]);
    assert_eq!(error["code"], "needs_terminal");
    assert_snapshot!(shop.vib(&["mcp", "grants"]).text(&shop), @r"
    Nothing is granted in this project. Agents may read summaries and previews, and save checkpoints.
    `vib mcp grant CLIENT CAPABILITY` allows more.
    ");
    let wrong = shop.vib(&["mcp", "grant", "cursor", "everything"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("memory_full_read, memory_write, recovery_apply, handoff_export"),
        "{}",
        wrong.stderr
    );
    assert_eq!(shop.vib(&["mcp", "grant", "cursor", "recovery_apply", "--for", "5y"]).code, 2);
    assert_eq!(shop.error(&["mcp", "revoke", "cursor"])["code"], "no_grant");
}

#[cfg(unix)]
#[test]
fn a_grant_is_asked_for_listed_and_taken_back() {
    let shop = shop();
    let (seen, done) =
        on_a_terminal(&shop, &["mcp", "grant", "cursor", "recovery_apply", "--for", "30m"], "n\n");
    assert!(
        !done && seen.contains("Allow `cursor` in this project, for 30 minutes, to put files back"),
        "{seen}"
    );
    assert_eq!(shop.data(&["mcp", "grants"])["grants"], json!([]));
    let (seen, done) =
        on_a_terminal(&shop, &["mcp", "grant", "cursor", "recovery_apply", "--for", "30m"], "y\n");
    assert!(
        done && seen.contains("cursor may now put files back to an earlier state; you are asked each time."),
        "{seen}"
    );
    let grants = shop.data(&["mcp", "grants"]);
    let grant = &grants["grants"][0];
    assert_eq!((grant["client"].as_str(), grant["made_at"].as_str()), (Some("cursor"), Some("terminal")));
    assert_eq!(grant["expires_ms"].as_i64().unwrap() - grant["created_ms"].as_i64().unwrap(), 30 * 60_000);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(shop.store().join("grants.json")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let text = shop.vib(&["mcp", "grants"]).stdout;
    assert!(text.contains("cursor  recovery_apply  until "), "{text}");
    assert_eq!(shop.vib(&["mcp", "revoke", "cursor"]).stdout, "cursor may no longer: recovery_apply\n");
    assert!(shop.vib(&["mcp", "grants"]).stdout.contains("taken back"));
    let (seen, done) = on_a_terminal(&shop, &["mcp", "grant", "cursor", "checkpoint_create"], "");
    assert!(!done && seen.contains("needs no grant"), "{seen}");
}

/// The server, spoken to over its pipes.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    fn start(sandbox: &Sandbox) -> Self {
        let mut command = sandbox.command(&["mcp", "serve"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Self { child, stdin, stdout, next: 0 };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}});
        assert_eq!(server.ask("initialize", &hello)["result"]["serverInfo"]["name"], "vib");
        server
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        writeln!(self.stdin.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))["result"]["structuredContent"]
            .clone()
    }

    /// Resident memory in kilobytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_answers_over_its_pipes_and_ends_with_them() {
    let shop = shop();
    let mut server = Server::start(&shop);
    let saved = server.call("checkpoint_create", &json!({"message": "from an agent"}));
    assert_eq!(saved["ok"], true, "{saved}");
    assert!(shop.vib(&["history"]).stdout.contains("from an agent"));
    drop(server.stdin.take());
    assert!(server.child.wait().unwrap().success(), "a client that goes away ends its server");
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_calls_leave_no_trace_in_memory() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("src/cart.js", "let total = 1;\n");
    let mut server = Server::start(&shop);
    let tools = ["memory_summary_read", "checkpoint_list", "checkpoint_diff", "recovery_apply"];
    let mut calls = |count: usize| {
        for tool in tools.iter().cycle().take(count) {
            assert!(!server.call(tool, &json!({}))["ok"].is_null());
        }
        server.memory()
    };
    // A new worker thread brings its own heap of some megabytes, whenever it comes; a leak grows in every stretch of calls.
    let mut held = calls(200);
    let grown: Vec<u64> = (0..12)
        .map(|_| {
            let before = std::mem::replace(&mut held, calls(200));
            held.saturating_sub(before)
        })
        .collect();
    assert!(grown.iter().any(|kilobytes| *kilobytes < 100), "grew in every 200 calls, by {grown:?} kB");
}

#[test]
fn idle_connections_without_a_token_do_not_stop_the_http_server_t13() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    let shop = super::shop();
    let mut command = shop.command(&["mcp", "serve", "--http", "--json"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(server.stdout.take().unwrap());
    let port = loop {
        said.clear();
        assert!(lines.read_line(&mut said).unwrap() > 0, "the server ended");
        if let Some(rest) = said.split("127.0.0.1:").nth(1) {
            break rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u16>().unwrap();
        }
    };
    // All its places: half of them silent, half with a head that never ends.
    let idle: Vec<TcpStream> = (0..128)
        .map(|at| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            if at % 2 == 0 {
                stream.write_all(b"POST /mcp HTTP/1.1\r\nX-Slow: ").unwrap();
            }
            stream
        })
        .collect();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    stream
        .write_all(
            format!("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").as_bytes(),
        )
        .unwrap();
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    server.kill().unwrap();
    server.wait().unwrap();
    drop(idle);
    read.unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}
