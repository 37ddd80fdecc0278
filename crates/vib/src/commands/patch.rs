//! `vib patch`

use std::io::Read;
use std::path::{Path, PathBuf};

use engine::may::{self, Act, Actor, Decision, Wish, may};
use engine::patch::{self, Applied, PatchOptions, Preview};
use engine::person::Act as PersonsAct;
use engine::undo::Confirmation;
use engine::{Engine, Error, Result};
use project::Context;

use crate::answer::{Answer, Refused};
use crate::cli::Session;
use crate::{actor, ask, person, render};

/// Apply the edits an AI wrote: all of them in the right place, or none
///
/// Reads unified and git diffs with the usual mistakes, `*** Begin Patch` and search/replace blocks, with words and code
/// fences around them. Every hunk must have exactly one place; otherwise nothing is written and the answer shows the
/// nearest lines of the file. The state before is saved, so that `vib undo` takes the patch back.
///
/// With --input and --output it works on one file, anywhere, without a project.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file with the edits, or `-` for standard input
    #[arg(value_name = "DIFF")]
    diff: PathBuf,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Do it without asking (for scripts, and for agents with a grant of `patch_apply`)
    #[arg(short, long)]
    yes: bool,
    /// Read this file instead of the project's
    #[arg(long, value_name = "FILE", requires = "output")]
    input: Option<PathBuf>,
    /// Write the result to this file
    #[arg(long, value_name = "FILE", requires = "input")]
    output: Option<PathBuf>,
    /// Refuse a hunk that is more than N lines away from where its header says
    #[arg(long, value_name = "N")]
    max_offset: Option<u64>,
    /// Refuse a hunk with less confidence than this, from 0 to 1
    #[arg(long, value_name = "X")]
    min_confidence: Option<f64>,
    /// Allow changes in keep regions; needs a reason, which is recorded
    #[arg(long, requires = "reason")]
    no_keep_regions: bool,
    /// Why keep regions may be changed
    #[arg(long, value_name = "TEXT", requires = "no_keep_regions")]
    reason: Option<String>,
    /// Allow changes to ignored files and in folders such as `node_modules`
    #[arg(long)]
    allow_ignored: bool,
    /// Take the patch back instead of applying it
    #[arg(short = 'R', long)]
    reverse: bool,
}

impl Args {
    fn options(&self) -> PatchOptions {
        PatchOptions {
            max_offset: self.max_offset,
            min_confidence: self.min_confidence,
            open_keep_regions: self.reason.clone().filter(|_| self.no_keep_regions),
            allow_ignored: self.allow_ignored,
            reverse: self.reverse,
        }
    }
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    if let (Some(input), Some(output)) = (&args.input, &args.output) {
        return to_file(args, input, output, session);
    }
    let engine = session.engine()?;
    let text = read(&args.diff, engine.context().cwd())?;
    let actor = actor::of(engine.context(), &session.printer);
    let mut preview = patch::preview(&engine, actor, &text, &args.options(), &session.progress)?;
    session.progress.finish();
    let printer = &session.printer;
    printer.now(&render::notices(&preview.notices, printer.theme()));
    if let Some((code, message, next)) = preview.report.first_refusal() {
        let refused = Refused { code, message, next };
        return Ok(Answer::refused(printer, &preview.report, refused, render::patch_refused));
    }
    if args.dry_run {
        patch::note_preview(&engine, &mut preview);
        return Ok(Answer::new(printer, &preview.report, |report, theme| {
            render::patch_preview(report, true, theme)
        }));
    }
    let confirmed = confirm(&engine, &preview, args, session)?;
    let report = patch::apply_recorded(&engine, &preview, confirmed, "cli", &session.progress)?;
    Ok(Answer::new(printer, &report, render::patch_applied))
}

fn confirm(engine: &Engine, preview: &Preview, args: &Args, session: &Session) -> Result<Confirmation> {
    let printer = &session.printer;
    let show = || printer.now(&render::patch_preview(&preview.report, false, printer.theme()));
    if args.yes {
        // What a person wants to stay is opened by a person, whatever was granted.
        let confirmed = match args.no_keep_regions {
            true => Confirmation::Yes(person::required(engine.context(), PersonsAct::Patch)?),
            false => person::said_yes_to_patch(engine)?,
        };
        show();
        return Ok(confirmed);
    }
    let by = person::required(engine.context(), PersonsAct::Patch)?;
    if printer.json() || !ask::somebody_is_there() {
        return Err(Error::NeedsConfirmation);
    }
    show();
    if ask::yes(printer, "Apply this? What you have now is saved first.") {
        Ok(Confirmation::Terminal(by))
    } else {
        Err(Error::Declined)
    }
}

/// One file by name: no project, no question, no checkpoint.
fn to_file(args: &Args, input: &Path, output: &Path, session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    let (input, output) = (context.cwd().join(input), context.cwd().join(output));
    let text = read(&args.diff, context.cwd())?;
    let original = match std::fs::read(&input) {
        Ok(original) => original,
        // A patch that makes a file needs none before it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(named(&error, "read", &input)),
    };
    let names = [&input, &output].map(|path| path.to_string_lossy().into_owned());
    let names = [names[0].as_str(), names[1].as_str()];
    let printer = &session.printer;
    let with_diff = printer.json() || args.dry_run;
    let applied = patch::to_content(&text, &names, &original, &args.options(), with_diff)?;
    let report = applied.report(!args.dry_run);
    if let Some((code, message, next)) = report.first_refusal() {
        let refused = Refused { code, message, next };
        return Ok(Answer::refused(printer, &report, refused, render::patch_refused));
    }
    if args.dry_run {
        return Ok(Answer::new(printer, &report, |report, theme| render::patch_preview(report, true, theme)));
    }
    let decision = guard(&context, session, &output, &applied);
    if let Some(refused) = refused(&context, &decision, session)? {
        return Ok(Answer::refused(&session.printer, &applied.report(false), refused, render::patch_refused));
    }
    write(&applied, &input, &output)?;
    let printer = &session.printer;
    Ok(Answer::new(printer, &report, render::patch_to_file))
}

/// A file by name is a file like any other: what is protected or guarded there is so here. (S13)
fn guard(context: &Context, session: &Session, output: &Path, applied: &Applied) -> Decision {
    let before = std::fs::read(output).ok();
    let act = Act::Become { before: before.as_deref(), after: applied.content.as_deref() };
    let engine = may::project_around(context, output);
    let ground = engine.as_ref().map_or(may::Ground::Nowhere(context), may::Ground::Project);
    may(ground, actor::of(context, &session.printer), &[Wish { path: output, act }])
}

/// A person is asked; whoever else it is gets a no.
fn refused(context: &Context, decision: &Decision, session: &Session) -> Result<Option<Refused>> {
    let Some(worst) = decision.worst() else { return Ok(None) };
    let message = format!("`{}` {}", worst.place, worst.in_short());
    let printer = &session.printer;
    if actor::of(context, printer) != Actor::Person {
        let next = "a person can do it in a terminal, where they are asked".to_owned();
        return Ok(Some(Refused { code: worst.code, message, next }));
    }
    match ask::yes(printer, &format!("{message}. Write it all the same?")) {
        true => Ok(None),
        false => Err(Error::Declined),
    }
}

/// Writes beside the old file, then moves over it, with the mode of the input.
fn write(applied: &Applied, input: &Path, output: &Path) -> Result<()> {
    let content = applied.content.as_deref().unwrap_or_default();
    let folder = output.parent().unwrap_or(Path::new("."));
    let written = (|| {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, content)?;
        let like = std::fs::metadata(output).or_else(|_| std::fs::metadata(input));
        if let Ok(metadata) = like {
            file.as_file().set_permissions(metadata.permissions())?;
        }
        file.persist(output).map_err(|error| error.error)?;
        Ok(())
    })();
    written.map_err(|error: std::io::Error| named(&error, "write", output))
}

fn read(path: &Path, cwd: &Path) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut text).map_err(|error| named(&error, "read", path))?;
        return Ok(text);
    }
    let path = cwd.join(path);
    std::fs::read(&path).map_err(|error| named(&error, "read", &path))
}

fn named(error: &std::io::Error, doing: &str, path: &Path) -> Error {
    if error.kind() == std::io::ErrorKind::NotFound && doing == "read" {
        return Error::NotThere(path.to_path_buf());
    }
    let message = format!("failed to {doing} `{}`: {error}", path.display());
    Error::Store(store::Error::Io(std::io::Error::new(error.kind(), message)))
}
