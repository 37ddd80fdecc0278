//! `vib recover`

use std::path::PathBuf;

use engine::diff::Detail;
use engine::person::{Act, ByPerson};
use engine::recover::{self, Applied, Choice, Pick, Preview, Query};
use engine::undo::Confirmation;
use engine::{Engine, Error, Result};
use texts::{Language, Texts};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// It broke: what happened, the safest ways back, and what each of them costs
///
/// Say it in your own words, in English, Korean or Chinese: `vib recover it broke`, `vib recover undo that`,
/// `vib recover 30분 전으로`. Your words only narrow down what is looked at; nothing changes before you have seen it and said
/// yes. What you have is saved first, and `vib recover --return` goes back to it.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// What is the matter, in your own words
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// Only say what happened and what could be done
    #[arg(long)]
    explain: bool,
    /// Show exactly what one way would do, and keep it as a plan
    #[arg(long)]
    preview: bool,
    /// Show it, ask, and do it
    #[arg(long, conflicts_with = "preview")]
    apply: bool,
    /// Which way, by its number (else the recommended one)
    #[arg(long, value_name = "N")]
    way: Option<usize>,
    /// Only these files or folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    file: Vec<PathBuf>,
    /// Back to this checkpoint
    #[arg(long, value_name = "ID")]
    checkpoint: Option<String>,
    /// Carry out the plan of a preview, without asking (for your scripts; an agent may not)
    #[arg(short, long, requires = "plan_or_return")]
    yes: bool,
    /// The plan that a preview showed
    #[arg(long, value_name = "ID", requires = "yes", group = "plan_or_return", conflicts_with_all = ["explain", "preview", "apply"])]
    plan: Option<String>,
    /// A second yes, to files that changed after the preview
    #[arg(long, value_name = "CODE", requires = "plan")]
    second_yes: Option<String>,
    /// Go back to the state before the last recovery
    #[arg(long = "return", group = "plan_or_return", conflicts_with_all = ["explain", "preview", "apply", "plan"])]
    back: bool,
    /// Show the changed lines too
    #[arg(short, long)]
    patch: bool,
    /// The language: en, ko or zh (else that of your words or of your system)
    #[arg(long, value_name = "LANGUAGE", value_parser = ["en", "ko", "zh"])]
    lang: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say whether it was right to call a file a drift candidate
    Feedback {
        /// The file
        file: PathBuf,
        /// It was right: the file does not belong to the work
        #[arg(long, required_unless_present = "wrong", conflicts_with = "wrong")]
        right: bool,
        /// It was wrong: the file belongs to the work
        #[arg(long)]
        wrong: bool,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let words = args.words.join(" ");
    let texts = Texts::new(language(&engine, args.lang.as_deref(), &words));
    if let Some(Command::Feedback { file, right, .. }) = &args.command {
        return feedback(&engine, file, *right, &texts, session);
    }
    let talk = Talk {
        engine: &engine,
        texts: &texts,
        session,
        detail: if args.patch { Detail::Text } else { Detail::Counts },
    };
    if let Some(plan) = &args.plan {
        let by = person::required(engine.context(), Act::GoBack)?;
        let applied = talk.apply(plan, Confirmation::Yes(by), args.second_yes.as_deref())?;
        return Ok(talk.done(&applied));
    }
    if args.back {
        engine::person::refuse_agent(engine.context(), Act::GoBack)?;
        let preview = recover::returning(&engine, talk.detail, &session.progress)?;
        return talk.confirm_and_apply(&preview, args.yes);
    }
    let query = Query {
        words,
        files: args.file.clone(),
        checkpoint: args.checkpoint.clone(),
        undo: false,
        picks: Vec::new(),
        tool: "cli".to_owned(),
    };
    let named = !query.files.is_empty() || query.checkpoint.is_some();
    let choice = match args.way {
        Some(number) => Choice::Way(number),
        None if named => Choice::Named,
        None => Choice::Recommended,
    };
    if args.preview {
        let preview = talk.preview(&query, choice)?;
        return Ok(Answer::new(&session.printer, &preview, |preview, theme| {
            render::recover_preview(preview, &texts, theme) + &render::recover_next(preview, &texts)
        }));
    }
    if args.apply || (named && !args.explain) {
        engine::person::refuse_agent(engine.context(), Act::GoBack)?;
        return talk.go_back(query, choice);
    }
    talk.explain(&query, args.explain || args.way.is_some())
}

/// `vib undo WORDS`: what is meant is said and shown first; what was not understood is asked back, and nothing is done. (U3)
pub(crate) fn undo_by_words(
    engine: &Engine,
    words: &str,
    consent: &super::undo::Consent,
    session: &Session,
) -> Result<Answer> {
    let texts = Texts::new(language(engine, None, words));
    let detail = if consent.patch { Detail::Text } else { Detail::Counts };
    let talk = Talk { engine, texts: &texts, session, detail };
    let query = Query { words: words.to_owned(), undo: true, tool: "cli".to_owned(), ..Query::default() };
    let report = recover::diagnose(engine, &query, &session.progress)?;
    session.progress.finish();
    let printer = &session.printer;
    let pieces = &report.diagnosis.phrase.not_understood;
    if report.diagnosis.asks_back && !pieces.is_empty() && (printer.json() || words.is_ascii()) {
        return Err(Error::NotUnderstood(pieces.clone()));
    }
    if report.diagnosis.asks_back && (!pieces.is_empty() || report.diagnosis.phrase.only_keeps) {
        // Asked back in the language in which it was said.
        let answer = Answer::new(printer, &report, |report, _| render::understood(report, &texts));
        return Ok(answer.with_exit(1));
    }
    if report.ways.first().is_none_or(|way| way.restores.is_empty()) {
        let exit = if report.diagnosis.asks_back { 1 } else { 0 };
        let answer = Answer::new(printer, &report, |report, theme| render::recover(report, &texts, theme));
        return Ok(answer.with_exit(exit));
    }
    if consent.dry_run {
        let preview = recover::preview_with(
            engine,
            &query,
            Choice::Recommended,
            detail,
            recover::Keep::No,
            &session.progress,
        )?;
        session.progress.finish();
        return Ok(Answer::new(printer, &preview, |preview, theme| {
            render::understood(&report, &texts) + &render::recover_preview(preview, &texts, theme)
        }));
    }
    engine::person::refuse_agent(engine.context(), Act::GoBack)?;
    printer.now(&render::understood(&report, &texts));
    if consent.yes {
        let preview = talk.preview(&query, Choice::Recommended)?;
        return talk.confirm_and_apply(&preview, true);
    }
    talk.go_back(query, Choice::Recommended)
}

/// What was asked for, else the language of the words, else the setting, else the system's.
fn language(engine: &Engine, asked: Option<&str>, words: &str) -> Language {
    let (config, context) = (engine.project().config(), engine.context());
    let setting = || Language::from_code(config.word("ui.language"));
    let spoken = Language::of_words(words, context);
    asked
        .and_then(Language::from_code)
        .unwrap_or_else(|| if words.is_ascii() { setting().unwrap_or(spoken) } else { spoken })
}

fn feedback(
    engine: &Engine,
    file: &std::path::Path,
    right: bool,
    texts: &Texts,
    session: &Session,
) -> Result<Answer> {
    person::required(engine.context(), Act::JudgeDrift)?;
    let paths = engine.paths(&[file.to_path_buf()])?;
    let path = paths.first().ok_or_else(|| Error::Usage("name one file".to_owned()))?;
    let report = recover::feedback::judge(engine, &Query::default(), &path.to_string(), right)?;
    Ok(Answer::new(&session.printer, &report, |report, _| render::recover_feedback(report, texts)))
}

/// One conversation.
struct Talk<'t> {
    engine: &'t Engine,
    texts: &'t Texts,
    session: &'t Session,
    detail: Detail,
}

impl Talk<'_> {
    /// What happened and what can be done; on a terminal, the person may choose right away.
    fn explain(&self, query: &Query, only: bool) -> Result<Answer> {
        let report = recover::diagnose(self.engine, query, &self.session.progress)?;
        self.session.progress.finish();
        let printer = &self.session.printer;
        let changes_files = report.ways.iter().any(|way| !way.restores.is_empty());
        if only || printer.json() || !changes_files || !ask::somebody_is_there() {
            return Ok(Answer::new(printer, &report, |report, theme| {
                render::recover(report, self.texts, theme)
            }));
        }
        printer.now(&render::recover(&report, self.texts, printer.theme()));
        let chosen =
            ask::line(printer, &self.texts.say("recover-ask-way", &[])).and_then(|line| line.parse().ok());
        let way = report.ways.iter().find(|way| Some(way.number) == chosen);
        match way {
            None => Err(Error::Declined),
            // Only looking is a choice like any other, and it was shown above.
            Some(way) if way.restores.is_empty() => Ok(Answer::new(printer, &report, |_, _| {
                format!("{}\n", self.texts.say("recover-unchanged", &[]))
            })),
            Some(way) => self.go_back(query.clone(), Choice::Way(way.number)),
        }
    }

    fn preview(&self, query: &Query, choice: Choice) -> Result<Preview> {
        let preview = recover::preview(self.engine, query, choice, self.detail, &self.session.progress)?;
        self.session.progress.finish();
        Ok(preview)
    }

    /// Whoever was there to say yes may know why it was necessary: they are asked for a lesson, as after `vib undo`. (H8)
    fn go_back(&self, query: Query, choice: Choice) -> Result<Answer> {
        let by = person::required(self.engine.context(), Act::GoBack)?;
        let preview = self.chosen(query, choice)?;
        let answer = self.carry_out(&preview, Confirmation::Terminal(by), by)?;
        Ok(super::lesson::ask_after_going_back(self.engine, self.texts.language(), answer, self.session))
    }

    /// Shows what would happen and asks; whoever wants only a part of it ticks files and places, and is shown and asked again. (R14)
    fn chosen(&self, mut query: Query, choice: Choice) -> Result<Preview> {
        let printer = &self.session.printer;
        let mut preview = self.preview(&query, choice)?;
        if printer.json() || !ask::somebody_is_there() {
            return Err(Error::NeedsConfirmation);
        }
        loop {
            printer.now(&render::recover_preview(&preview, self.texts, printer.theme()));
            match ask::yes_or_choose(printer, &self.texts.say("recover-ask-yes-choose", &[])) {
                ask::Reply::Yes => return Ok(preview),
                ask::Reply::No => return Err(Error::Declined),
                ask::Reply::Choose => {}
            }
            query.picks.clear();
            let list = recover::choosable(self.engine, &query, choice, &self.session.progress)?;
            self.session.progress.finish();
            printer.now(&render::recover_choices(&list, self.texts, printer.theme()));
            let numbers = ask::line(printer, &self.texts.say("recover-ask-pick", &[]));
            query.picks = Pick::of_numbers(&numbers.ok_or(Error::Declined)?, &list)?;
            preview = self.preview(&query, choice)?;
        }
    }

    fn confirm_and_apply(&self, preview: &Preview, yes: bool) -> Result<Answer> {
        let by = person::required(self.engine.context(), Act::GoBack)?;
        let printer = &self.session.printer;
        if !yes && (printer.json() || !ask::somebody_is_there()) {
            return Err(Error::NeedsConfirmation);
        }
        printer.now(&render::recover_preview(preview, self.texts, printer.theme()));
        let confirmed = if yes {
            Confirmation::Yes(by)
        } else if ask::yes(printer, &self.texts.say("recover-ask-yes", &[])) {
            Confirmation::Terminal(by)
        } else {
            return Err(Error::Declined);
        };
        self.carry_out(preview, confirmed, by)
    }

    fn carry_out(&self, preview: &Preview, confirmed: Confirmation, by: ByPerson) -> Result<Answer> {
        let asks = matches!(confirmed, Confirmation::Terminal(_));
        let applied = match self.apply(&preview.plan, confirmed, None) {
            Err(Error::ChangedAfterPreview { paths, code }) if asks => {
                self.ask_again(preview, &paths, &code, by)?
            }
            other => other?,
        };
        Ok(self.done(&applied))
    }

    /// Files changed while the person was reading: only a second yes, to exactly these, replaces them.
    fn ask_again(&self, preview: &Preview, paths: &[String], code: &str, by: ByPerson) -> Result<Applied> {
        let files = render::recover_files(paths, 6, self.texts);
        let question = self.texts.say("recover-ask-second", &[("files", files.into())]);
        if ask::yes(&self.session.printer, &question) {
            self.apply(&preview.plan, Confirmation::Terminal(by), Some(code))
        } else {
            Err(Error::Declined)
        }
    }

    fn apply(&self, plan: &str, confirmed: Confirmation, second_yes: Option<&str>) -> Result<Applied> {
        let progress = &self.session.progress;
        let applied = recover::apply(self.engine, plan, confirmed, second_yes, "cli", progress)?;
        progress.finish();
        Ok(applied)
    }

    fn done(&self, applied: &Applied) -> Answer {
        let exit = if applied.is_complete() { 0 } else { 1 };
        Answer::new(&self.session.printer, applied, |applied, theme| {
            render::recovered(applied, self.texts, theme)
        })
        .with_exit(exit)
    }
}
