//! `vib board`

use engine::Result;
use engine::run::board::{Folds, board};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{board as screen, render};

/// The board of runs: every card, where it stands, and what it can show for itself
///
/// In a terminal you walk it with the arrow keys; Enter shows a card's evidence, `?` all keys, `q` ends it. It follows runs that are at work.
/// `a`, `r`, `p`, `d` and `s` apply a card, take it back, do it again, put it away, or stop its run, each after a preview and your yes. Where
/// there is no terminal, the board is printed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print the board, also in a terminal
    #[arg(long)]
    print: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = engine::lane::main_engine(session.engine()?)?;
    if !session.printer.json() && !args.print && screen::is_possible() {
        let (theme, colours) = (*session.printer.theme(), session.printer.colours());
        screen::show(&engine, &theme, colours, &mut |act, run, card| {
            // Each command takes the world once.
            session.context =
                Some(engine.context().beside(engine.context().cwd()).map_err(project::Error::from)?);
            super::run::by_key(act, run, card, session);
            Ok(())
        })?;
        return Ok(Answer::raw(Vec::new()));
    }
    let report = board(&engine, &Folds::default())?;
    Ok(Answer::new(&session.printer, &report, render::board).long())
}
