//! `vib run`

mod at_work;
mod cards;
mod demo;
mod detach;
mod look;
mod task;

use engine::{Engine, Error, Result, lane};

pub(crate) use look::{Shown, Stopped};

use crate::answer::Answer;
use crate::ask;
use crate::board::Act;
use crate::cli::Session;

/// Runs: a task in cards, each with proof that vib itself produced
///
/// A run works in lanes, never in your folder. A card that is done there waits for you: `vib run apply` shows what would change and brings it to
/// your project after your yes, `vib run revert` takes one card back and leaves the later ones, `vib run replay` does a run again from what is
/// written down, `vib run drop` puts one away. Nothing is lost at any point.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    task: task::TaskArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// The runs there are: how far each is, what waits for you, what it used
    List,
    /// A run, a card or an attempt with its evidence
    Show {
        /// `run3`, or `run3/c1`
        #[arg(value_name = "RUN[/CARD]")]
        place: String,
    },
    /// Bring a card, or everything of a run that waits, to the project, after a preview and your yes
    ///
    /// What was done in the project since stays: each file is put together from both sides. The project's checks run on the result first, in a
    /// private copy. It is one step in the history: `vib undo` takes it back.
    Apply(cards::ApplyArgs),
    /// Take a card back: the reverse of what it did, and of nothing else; later cards stay
    ///
    /// In the project, if its changes are there; else in its lane. Where the same lines were changed since, it is refused and the place is named.
    Revert(cards::RevertArgs),
    /// Do a run again from what is written down, in a fresh lane, and say whether the same comes out
    Replay {
        /// The run
        run: String,
        /// Up to this card, and tell only about it
        #[arg(long, value_name = "CARD")]
        card: Option<String>,
        /// On the project after this step or request, or of this checkpoint; else on what the run began with
        #[arg(long, value_name = "STEP")]
        onto: Option<String>,
        /// Keep the lane also if the same came out
        #[arg(long)]
        keep: bool,
    },
    /// Put a run, a card or an attempt away: everything of it is kept, and `vib lane open` brings its lanes back
    Drop {
        /// `run3`, `run3/c1` or `run3/c1/a2`
        #[arg(value_name = "RUN[/CARD[/ATTEMPT]]")]
        place: String,
        /// Also if programs are at work in a lane
        #[arg(long)]
        force: bool,
    },
    /// Let a run go on that waits for you, was stopped, or was cut off
    ///
    /// What it waits for is answered with the words behind its name: `vib run resume run3 yes`. An action whose end nobody saw is not repeated by
    /// itself: a change of files is looked up, everything else is told to the model as cut off.
    Resume {
        /// The run
        run: String,
        /// Your answer
        #[arg(trailing_var_arg = true)]
        answer: Vec<String>,
        /// Go on without this terminal
        #[arg(long)]
        detach: bool,
    },
    /// Watch a run that works without a terminal, until it ends; leaving does not stop it
    Attach {
        /// The run
        run: String,
    },
    /// Works on a run that was started without a terminal
    #[command(hide = true)]
    Work {
        /// The run
        run: String,
    },
    /// Ask whoever works on a run to end; what was done is kept
    Stop {
        /// The run
        run: String,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    match &args.command {
        None => task::run(&args.task, session),
        Some(Command::List) => look::list(session),
        Some(Command::Show { place }) => look::show(place, session),
        Some(Command::Apply(args)) => cards::apply(args, session),
        Some(Command::Revert(args)) => cards::revert(args, session),
        Some(Command::Replay { run, card, onto, keep }) => {
            let (card, onto) = (card.clone(), onto.clone());
            cards::replay(run, &engine::run::ReplayOptions { card, onto, keep: *keep }, session)
        }
        Some(Command::Drop { place, force }) => cards::drop(place, *force, session),
        Some(Command::Stop { run }) => look::stop(run, session),
        Some(Command::Resume { run, answer, detach }) => task::resume(run, answer, *detach, session),
        Some(Command::Attach { run }) => detach::attach(run, session),
        Some(Command::Work { run }) => detach::work(run, session),
    }
}

/// What a key of the board does with a card: the command of that name, with its preview and its question. What came of it, or what went wrong, is
/// told; then the person leads back.
pub(crate) fn by_key(act: Act, run: &str, card: &str, session: &mut Session) {
    session.printer.aside(&format!("$ {}\n", act.command(run, card)));
    let place = format!("{run}/{card}");
    let may = |question: &str, session: &Session| {
        let question = session.printer.theme().say(question, &[("name", place.as_str().into())]);
        if ask::yes(&session.printer, &question) { Ok(()) } else { Err(Error::Declined) }
    };
    let came = match act {
        Act::Apply => cards::apply(&cards::ApplyArgs::of(&place), session),
        Act::Revert => cards::revert(&cards::RevertArgs::of(&place), session),
        // What has no preview of its own is asked about by its name.
        Act::Replay => may("board-ask-replay", session).and_then(|()| {
            let options = engine::run::ReplayOptions { card: Some(card.to_owned()), ..Default::default() };
            cards::replay(run, &options, session)
        }),
        Act::Drop => may("board-ask-drop", session).and_then(|()| cards::drop(&place, false, session)),
        Act::Stop => may("board-ask-stop", session).and_then(|()| look::stop(run, session)),
    };
    session.progress.finish();
    // How it would end as a command of its own means nothing here.
    let _ = match came {
        Ok(answer) => session.printer.answer(&answer, &[]),
        Err(error) => session.printer.error(&error),
    };
    let back = session.printer.theme().word("board-back");
    let _ = ask::line(&session.printer, &back);
}

/// The project, also for whoever stands in a lane of it.
fn main(session: &mut Session) -> Result<Engine> {
    let engine = session.engine()?;
    lane::main_engine(engine)
}
