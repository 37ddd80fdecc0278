//! `vib serve`

use std::io::{BufRead, IsTerminal};

use engine::person::Act;
use engine::{Error, Result};
use serde_json::json;
use web::{Links, Notice, Options, ServeError, Server, Terminal};

use crate::answer::Answer;
use crate::cli::Session;
use crate::person;
use crate::printer::Printer;

/// Show the project on a local web page: what happened, what is risky, and the way back
///
/// Runs until you press Ctrl-C. The page can be reached from this machine only, with the link that is printed; a link opens the
/// page once. Programs of yours find the address and their token in the file that is named; agents can reach vib over MCP at /mcp.
/// What could run a program or act for you asks on the page for a code that is shown here.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Use this port instead of any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Open the page in your browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let context = session.context()?;
    // Whoever has the link is taken for the person.
    person::required(&context, Act::OpenPage)?;
    let options = Options { port: args.port, terminal: terminal(&session.printer), ..Options::default() };
    let server = Server::bind(context, options).map_err(could_not)?;
    let links = server.links();
    let link = links.fresh();
    let (port, file, agents) = (server.port(), server.file().display().to_string(), server.agents());
    let agents_file = agents.file.display().to_string();
    let printer = &session.printer;
    if printer.json() {
        let mcp = json!({"url": agents.url, "token_file": agents_file});
        let data = json!({"url": link, "port": port, "token_file": file, "mcp": mcp});
        let _ = printer.exactly(format!("{}\n", json!({"ok": true, "error": null, "data": data})).as_bytes());
    } else {
        printer.now(&format!(
            "VibeLign is at\n  {link}\n\nThe link works once. Press Enter for another one, Ctrl-C to stop.\nFor programs: `{file}`\n\
             For agents (MCP): {}, with the token in `{agents_file}`\n",
            agents.url
        ));
        if std::io::stdin().is_terminal() {
            offer_links(links);
        }
    }
    if args.open {
        open(&link);
    }
    server.run(std::future::pending()).map_err(could_not)?;
    Ok(Answer::raw(Vec::new()))
}

/// Where codes are shown: on the screen of whoever started this. A server that nobody watches shows none.
fn terminal(printer: &Printer) -> Option<Terminal> {
    let show = |notice: &Notice| {
        format!(
            "\nThe page asks: {}\n  Code: {}   (type it on the page within {} seconds)\nIf that was not you, do not type it anywhere; Ctrl-C ends the server.\n",
            notice.what, notice.code, notice.seconds
        )
    };
    if !printer.json() && std::io::stdout().is_terminal() {
        return Some(Terminal::new(move |notice| {
            let _ = std::io::Write::write_all(&mut anstream::stdout(), show(notice).as_bytes());
        }));
    }
    std::io::stderr().is_terminal().then(|| {
        Terminal::new(move |notice| {
            let _ = std::io::Write::write_all(&mut anstream::stderr(), show(notice).as_bytes());
        })
    })
}

/// Another link for each Enter. The thread ends with the program.
fn offer_links(links: Links) {
    std::thread::spawn(move || {
        let mut line = String::new();
        while std::io::stdin().lock().read_line(&mut line).is_ok_and(|read| read > 0) {
            line.clear();
            let mut out = anstream::stdout();
            let _ = std::io::Write::write_all(&mut out, format!("  {}\n", links.fresh()).as_bytes());
        }
    });
}

/// Asks the system to open the link. The program that does it is the system's own; if there is none, the link is on the screen.
fn open(link: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let quiet = std::process::Stdio::null;
    let started = std::process::Command::new(program)
        .args(arguments)
        .arg(link)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    if let Ok(mut child) = started {
        std::thread::spawn(move || child.wait());
    }
}

/// Why there is no server.
pub(super) fn could_not(error: ServeError) -> Error {
    match error {
        ServeError::Engine(error) => error,
        ServeError::Port { ref source, .. } => {
            let kind = source.kind();
            project::Error::from(std::io::Error::new(kind, error.to_string())).into()
        }
        other => project::Error::from(std::io::Error::other(other)).into(),
    }
}
