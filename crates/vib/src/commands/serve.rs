//! `vib serve`

use std::io::{BufRead, IsTerminal};

use engine::person::Act;
use engine::{Error, Result};
use serde_json::json;
use web::{Links, Options, ServeError, Server};

use crate::answer::Answer;
use crate::cli::Session;
use crate::person;

/// Show the project on a local web page: what happened, what is risky, and the way back
///
/// Runs until you press Ctrl-C. The page can be reached from this machine only, with the link that is printed; a link opens the
/// page once. Programs of yours find the address and their token in the file that is named.
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
    let server =
        Server::bind(context, Options { port: args.port, ..Options::default() }).map_err(could_not)?;
    let links = server.links();
    let link = links.fresh();
    let (port, file) = (server.port(), server.file().display().to_string());
    let printer = &session.printer;
    if printer.json() {
        let data = json!({"url": link, "port": port, "token_file": file});
        let _ = printer.exactly(format!("{}\n", json!({"ok": true, "error": null, "data": data})).as_bytes());
    } else {
        printer.now(&format!(
            "VibeLign is at\n  {link}\n\nThe link works once. Press Enter for another one, Ctrl-C to stop.\nFor programs: `{file}`\n"
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

fn could_not(error: ServeError) -> Error {
    match error {
        ServeError::Engine(error) => error,
        ServeError::Port { ref source, .. } => {
            let kind = source.kind();
            project::Error::from(std::io::Error::new(kind, error.to_string())).into()
        }
        other => project::Error::from(std::io::Error::other(other)).into(),
    }
}
