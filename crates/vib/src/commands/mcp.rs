//! `vib mcp …`

use std::path::PathBuf;

use clap::Subcommand;
use engine::grants::{self, Capability};
use engine::person::Act;
use engine::undo::Confirmation;
use engine::{Engine, Error, Result};
use mcp::{HttpOptions, Server};
use serde_json::json;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Let other AI agents ask vib, and decide what they may do
///
/// Agents may always read a summary of the memory, look at previews and checkpoints, and save a checkpoint. Everything else is off
/// until you grant it, for one client, in this project, for a time.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer one agent over standard input and output (agents start this by themselves)
    Serve(ServeArgs),
    /// Allow a client something; needs you at a terminal
    Grant(GrantArgs),
    /// Take a grant back
    Revoke(RevokeArgs),
    /// Show what clients may do in this project
    Grants,
}

#[derive(Debug, clap::Args)]
struct ServeArgs {
    /// The project; without it, the one around the current folder
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Listen on http://127.0.0.1 instead, for several clients; the address and the file with the token are printed
    #[arg(long)]
    http: bool,
    /// With --http: this port instead of any free one
    #[arg(long, value_name = "N", requires = "http", default_value_t = 0)]
    port: u16,
}

#[derive(Debug, clap::Args)]
struct GrantArgs {
    /// The client's name as it calls itself, such as `claude-code`, or `claude-code@2.1` for one version
    client: String,
    /// What it may do
    #[arg(value_parser = capability)]
    capability: Capability,
    /// For how long, such as 30m, 8h or 7d
    #[arg(long = "for", value_name = "TIME", default_value = "8h", value_parser = duration)]
    duration: i64,
}

#[derive(Debug, clap::Args)]
struct RevokeArgs {
    /// The client, or the id of one grant
    which: String,
    /// Only this
    #[arg(value_parser = capability)]
    capability: Option<Capability>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    match &args.command {
        Command::Serve(args) => serve(args, session),
        Command::Grant(args) => grant(args, session),
        Command::Revoke(args) => {
            let engine = session.engine()?;
            let by = person::required(engine.context(), Act::Grant)?;
            let revoked = grants::revoke_by(&engine, &args.which, args.capability, by)?;
            Ok(Answer::new(&session.printer, &revoked, render::grants_revoked))
        }
        Command::Grants => {
            let list = grants::list(&session.engine()?)?;
            Ok(Answer::new(&session.printer, &list, render::grants))
        }
    }
}

fn grant(args: &GrantArgs, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let by = person::required(engine.context(), Act::Grant)?;
    if !ask::somebody_is_there() {
        return Err(Error::NeedsTerminal);
    }
    let question = format!(
        "Allow `{}` in this project, for {}, to {}?",
        args.client,
        render::span(args.duration),
        args.capability.about()
    );
    if args.capability.needs_grant() && !ask::yes(&session.printer, &question) {
        return Err(Error::Declined);
    }
    let grant =
        grants::grant(&engine, &args.client, args.capability, args.duration, Confirmation::Terminal(by))?;
    Ok(Answer::new(&session.printer, &grant, render::grant_made))
}

fn serve(args: &ServeArgs, session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    let root = args.root.clone().unwrap_or_else(|| context.cwd().to_path_buf());
    if !args.http {
        mcp::serve_stdio(Server::new(context, root)).map_err(could_not)?;
        return Ok(Answer::raw(Vec::new()));
    }
    let engine = Engine::open(context.beside(&root).map_err(project::Error::from)?)?;
    let token = token(&engine);
    let file = engine.project().state().join("mcp").join("http-token");
    engine::private_file::write(&file, token.as_bytes()).map_err(project::Error::from)?;
    let options = HttpOptions { port: args.port, token: Some(token) };
    let printer = &session.printer;
    let started = |listening: &mcp::Listening| {
        let text = if printer.json() {
            format!("{}\n", json!({"url": listening.url, "port": listening.port, "token_file": file}))
        } else {
            format!(
                "Listening on {}\nEvery request needs the header `Authorization: Bearer TOKEN`; the token is in\n  {}\nCtrl-C ends it.\n",
                listening.url,
                file.display()
            )
        };
        let _ = printer.exactly(text.as_bytes());
    };
    let ended = mcp::serve_http(Server::new(context, root), &options, started);
    let _ = std::fs::remove_file(&file);
    ended.map_err(could_not)?;
    Ok(Answer::raw(Vec::new()))
}

fn token(engine: &Engine) -> String {
    (0..4).map(|_| format!("{:016x}", engine.context().random_u64())).collect()
}

fn could_not(error: mcp::Error) -> Error {
    project::Error::from(std::io::Error::other(error)).into()
}

fn capability(word: &str) -> std::result::Result<Capability, String> {
    Capability::parse(word).ok_or_else(|| {
        let granted = Capability::ALL.into_iter().filter(|capability| capability.needs_grant());
        let names: Vec<&str> = granted.map(Capability::as_str).collect();
        format!("there is no such capability; these can be granted: {}", names.join(", "))
    })
}

/// `30m`, `8h`, `7d` in milliseconds.
fn duration(text: &str) -> std::result::Result<i64, String> {
    let wrong = || "write a number and a unit, such as 30m, 8h or 7d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let count: i64 = text.strip_suffix(unit).unwrap_or_default().parse().map_err(|_| wrong())?;
    let unit = match unit {
        's' => 1_000,
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => 86_400_000,
        _ => return Err(wrong()),
    };
    let ms = count.checked_mul(unit).ok_or_else(wrong)?;
    if (1..=grants::LONGEST_MS).contains(&ms) { Ok(ms) } else { Err("at most 90 days".to_owned()) }
}
