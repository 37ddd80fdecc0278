//! `vib checkpoint`

use std::path::PathBuf;

use engine::Result;
use store::{CheckpointKind, Origin, SnapshotRequest};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Save the project as it is now
///
/// Only what changed is read and stored. With PATHs, only those files are saved (at once, whatever the size of the
/// project), also if they are ignored. Words that name no file are what this state is called: `vib checkpoint it works now`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What this state is, in your words
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Keep it for ever
    #[arg(long)]
    pin: bool,
    /// Save only these files and folders; or what this state is, in your words
    #[arg(value_name = "PATH|WORDS")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    origin: OriginArgs,
}

/// For programs that save on behalf of an agent
#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "For programs that save on behalf of an agent (a PATH that is not there yet is saved as absent)"
)]
struct OriginArgs {
    /// Kind: manual, turn or commit
    #[arg(long, value_name = "KIND", default_value = "manual", value_parser = ["manual", "turn", "commit"])]
    kind: String,
    /// The agent's session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The request it belongs to: one prompt and all its steps
    #[arg(long, value_name = "ID")]
    turn: Option<String>,
    /// The request that started this one
    #[arg(long, value_name = "ID")]
    parent_turn: Option<String>,
    /// The agent, such as claude-code
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The tool about to run
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The agent's id of the tool call
    #[arg(long, value_name = "ID")]
    call_id: Option<String>,
    /// What the person asked for
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
}

impl OriginArgs {
    fn is_a_program(&self) -> bool {
        let given = [&self.session, &self.turn, &self.agent, &self.tool, &self.call_id];
        self.kind != "manual" || given.into_iter().any(Option::is_some)
    }
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let from = &args.origin;
    let mut request = SnapshotRequest {
        kind: CheckpointKind::parse(&from.kind).unwrap_or(CheckpointKind::Manual),
        message: args.message.clone().filter(|text| !text.trim().is_empty()),
        pinned: args.pin,
        by_agent: false,
        origin: Origin {
            session: from.session.clone(),
            turn: from.turn.clone(),
            parent_turn: from.parent_turn.clone(),
            agent: from.agent.clone(),
            tool: from.tool.clone(),
            call_id: from.call_id.clone(),
            trigger: Some("cli".to_owned()),
            prompt: from.prompt.clone(),
        },
        moment: store::Moment::Between,
    };
    let engine = session.engine()?;
    request.by_agent = (from.is_a_program() && from.kind != "commit")
        || engine::checkpoint::asked_by_agent(&engine, &session.progress);
    // A program names the file it is about to make; a person names what is there.
    let report = if from.is_a_program() {
        engine::checkpoint::create(&engine, &request, &args.paths, &session.progress)?
    } else {
        engine::checkpoint::create_from_words(&engine, &request, &args.paths, &session.progress)?
    };
    if !from.is_a_program() {
        engine::memory::checkpoint_named(&engine, "cli", &report.saved.checkpoint);
    }
    Ok(Answer::new(&session.printer, &report, render::checkpoint))
}
