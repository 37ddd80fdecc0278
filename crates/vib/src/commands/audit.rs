//! `vib audit …`

use clap::Subcommand;
use engine::Result;
use engine::audit::{self, Verdict};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Proof that the safety gates were used: counts only, kept on this machine
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The newest rows of the audit log, and whether it is whole (exit code 1 if not)
    Show {
        /// How many rows; 0 shows all
        #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Were the five rules that may never break kept? (exit code 1 unless that is proven)
    Slo {
        /// The last so many days (default: the setting audit.window_days)
        #[arg(long, value_name = "DAYS")]
        days: Option<u64>,
    },
    /// How useful vib is: recoveries, hand-offs, suggestions, drift labels
    Metrics {
        /// The last so many days (default: the setting audit.window_days)
        #[arg(long, value_name = "DAYS")]
        days: Option<u64>,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let printer = &session.printer;
    match &args.command {
        Command::Show { limit } => {
            let report = audit::show(&engine, *limit)?;
            let exit = u8::from(!report.damage.is_empty());
            Ok(Answer::new(printer, &report, render::audit_show).with_exit(exit).long())
        }
        Command::Slo { days } => {
            let report = audit::slo(&engine, *days)?;
            let exit = u8::from(report.result != Verdict::Pass);
            Ok(Answer::new(printer, &report, render::audit_slo).with_exit(exit))
        }
        Command::Metrics { days } => {
            Ok(Answer::new(printer, &audit::metrics(&engine, *days)?, render::audit_metrics))
        }
    }
}
