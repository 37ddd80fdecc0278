//! `vib lesson …`

use clap::Subcommand;
use engine::lessons::{self, Draft, Question as _, Source};
use engine::person::Act;
use engine::{Engine, Result};
use texts::Language;

use crate::answer::{Answer, Body};
use crate::cli::Session;
use crate::{ask, person, render};

/// What the agent should do differently next time, kept in LESSONS.md
///
/// The agents are shown the few lessons that fit: at the start of a session, and when a request or a tool matches. The file
/// is yours: change it or delete from it by hand whenever you like.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a lesson down; the same one twice is one lesson
    Add(AddArgs),
    /// Show the lessons, and what in the file cannot be understood
    List,
    /// Stand behind a lesson that the file brought along: agents are told that a person confirmed it
    Keep(KeepArgs),
    /// Keep a lesson for ever, and put it first
    Pin(IdArgs),
    /// Let a pinned lesson fade like the others
    Unpin(IdArgs),
    /// Take a lesson out of the file
    Remove(IdArgs),
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// What the agent should do differently, in a sentence or two
    text: String,
    /// Only when this tool is used (such as Edit, Bash, or the kinds edit and shell); can be given again
    #[arg(long = "tool", value_name = "TOOL")]
    tools: Vec<String>,
    /// Only for these files, such as `src/**` or `*.css`; can be given again
    #[arg(long = "path", value_name = "GLOB")]
    paths: Vec<String>,
    /// Keep it for ever, and put it first
    #[arg(long)]
    pin: bool,
}

#[derive(Debug, clap::Args)]
struct KeepArgs {
    /// The lesson, or the first letters of its id
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    id: Option<String>,
    /// All that nobody here has confirmed yet; read them first with `vib lesson list`
    #[arg(long)]
    all: bool,
}

#[derive(Debug, clap::Args)]
struct IdArgs {
    /// The lesson, or the first letters of its id
    id: String,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let printer = &session.printer;
    match &args.command {
        Command::Add(args) => {
            let draft = Draft {
                text: args.text.clone(),
                tools: args.tools.clone(),
                paths: args.paths.clone(),
                pinned: args.pin,
                source: Source::Person,
            };
            Ok(Answer::new(printer, &lessons::add(&engine, draft)?, render::lesson_added))
        }
        Command::List => {
            let list = lessons::list(&engine)?;
            let exit = u8::from(!list.problems.is_empty());
            Ok(Answer::new(printer, &list, render::lessons).with_exit(exit))
        }
        Command::Keep(args) => {
            let by = person::required(engine.context(), Act::KeepLessons)?;
            Ok(Answer::new(printer, &lessons::keep(&engine, args.id.as_deref(), by)?, render::lessons_kept))
        }
        Command::Pin(args) => {
            Ok(Answer::new(printer, &lessons::pin(&engine, &args.id, true)?, render::lesson_pinned))
        }
        Command::Unpin(args) => {
            Ok(Answer::new(printer, &lessons::pin(&engine, &args.id, false)?, render::lesson_pinned))
        }
        Command::Remove(args) => {
            Ok(Answer::new(printer, &lessons::remove(&engine, &args.id)?, render::lesson_removed))
        }
    }
}

/// The one question after going back, on a terminal. Whatever comes of it, what was restored is restored.
pub(crate) fn ask_after_going_back(
    engine: &Engine,
    language: Language,
    answer: Answer,
    session: &Session,
) -> Answer {
    let printer = &session.printer;
    let Body::Text(done) = &answer.body else {
        return answer;
    };
    session.progress.finish();
    printer.now(done);
    let text = match ask::line(printer, language.question()) {
        None => String::new(),
        Some(words) => match lessons::after_rollback(engine, &words) {
            Ok(kept) => format!("{}\n", language.thanks(&kept.lesson.id, kept.known_before)),
            Err(error) => format!("The lesson was not kept: {error}\nnext: {}\n", error.next()),
        },
    };
    Answer { body: Body::Text(text), ..answer }
}
