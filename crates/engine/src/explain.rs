//! What changed, in words of the program and not of lines: which function came, went, got another name; how risky that is and
//! why; what to look at. (GD2)
//!
//! Everything here is typed; the words are chosen by whoever shows it, in the person's language.

use std::path::PathBuf;

use ::map::{Map, SymbolChange};
use project::RelPath;
use risk::{Advice, FileStory, Study};
use store::Progress;

pub use crate::changes::Base;

use crate::changes::{self, Against, Changes};
use crate::verdict::{self, Verdict};
use crate::{Engine, Error, Notice, Result, protect};

/// What a person asked for.
#[derive(Debug, Clone, Default)]
pub struct ExplainOptions {
    /// Only this file or folder.
    pub path: Option<PathBuf>,
    /// The earlier checkpoint; the newest safe one if none is given.
    pub from: Option<String>,
    /// The later one; now if none is given.
    pub to: Option<String>,
    /// Compare with git's last commit instead.
    pub git: bool,
}

/// The whole story.
#[derive(Debug, serde::Serialize)]
pub struct ExplainReport {
    /// What it is compared with.
    pub base: Base,
    /// The later moment: an id, or `now`.
    pub to: String,
    /// File by file, the riskiest first.
    pub files: Vec<FileStory>,
    /// New lines, all together.
    pub added: u64,
    /// Lines that are gone, all together.
    pub removed: u64,
    /// Files that changed beyond those told.
    pub left_out: usize,
    /// How risky it is, and why. Where nothing else is asked, this is what every command says.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What to look at, the weightiest first.
    pub advice: Vec<Advice>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Tells what changed.
pub fn explain(engine: &Engine, options: &ExplainOptions, progress: &dyn Progress) -> Result<ExplainReport> {
    let against = match (options.git, &options.from, &options.to) {
        (true, None, None) => Against::Git,
        (true, ..) => {
            return Err(Error::Usage(
                "`--git` compares with the last commit; leave `--from` and `--to` away".to_owned(),
            ));
        }
        (false, None, None) => Against::Safe,
        (false, from, to) => Against::Checkpoints { from: from.clone(), to: to.clone() },
    };
    let typed: Vec<PathBuf> = options.path.iter().cloned().collect();
    let only = engine.known_names(&typed)?;
    // Where nothing else is asked, exactly what the verdict looks at is told.
    let usual = against == Against::Safe && only.is_empty();
    let most = if usual { verdict::MOST_STUDIED } else { changes::MOST_FILES };
    let changes = changes::collect(engine, &against, &only, most, progress)?;
    let reach = if usual { Reach::Near } else { Reach::Everything };
    let mut told = Told::of(engine, &changes, reach, progress)?;
    let verdict = match usual {
        true => verdict::of_now(engine, &changes, &told)?,
        false => verdict::of_changes(engine, &changes, &told)?,
    };
    told.stories.sort_by(|a, b| b.risk.cmp(&a.risk).then_with(|| a.path.cmp(&b.path)));
    let check = || risk::checks::detect(engine.project().root()).into_iter().next();
    let advice = risk::advice(&told.stories, told.map.as_ref(), check);
    Ok(ExplainReport {
        base: changes.base,
        to: changes.to,
        added: told.stories.iter().map(|story| story.added).sum(),
        removed: told.stories.iter().map(|story| story.removed).sum(),
        files: told.stories,
        left_out: changes.left_out,
        verdict,
        advice,
        notices: changes.notices,
    })
}

/// Among which files the users of what is gone are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All.
    Everything,
    /// Those nearest to what changed, if there are very many.
    Near,
    /// The same, and only where something is gone or different that others could use.
    NearIfNeeded,
}

/// Changed files, looked into.
pub(crate) struct Told {
    /// Both outlines of each, in the order of the changes.
    pub(crate) studies: Vec<Study>,
    /// What happened in each, with risk and reasons.
    pub(crate) stories: Vec<FileStory>,
    pub(crate) map: Option<Map>,
    /// Files in which nobody looked for users of what is gone.
    pub(crate) not_searched: usize,
}

impl Told {
    /// Looks into all files of these changes.
    pub(crate) fn of(
        engine: &Engine,
        changes: &Changes,
        reach: Reach,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let gone: Vec<RelPath> = changes
            .files
            .iter()
            .filter_map(|file| {
                file.old_path.clone().or_else(|| file.after.is_none().then(|| file.path.clone()))
            })
            .collect();
        let protected = protect::list(engine)?;
        let studies = risk::tell(&changes.files);
        let touched =
            |study: &Study| study.changes.iter().any(|change| !matches!(change, SymbolChange::Added { .. }));
        let needed = !gone.is_empty() || studies.iter().any(|(study, _)| touched(study));
        let mut not_searched = 0;
        // Who needs whom is known of the present only.
        let map = (changes.to == "now" && (needed || reach != Reach::NearIfNeeded)).then(|| {
            let near = match reach {
                Reach::Everything => None,
                _ => risk::nearest(&changes.present, &changes.files),
            };
            match near {
                None => crate::map::build(engine, &changes.present, &gone, progress),
                Some(near) => {
                    not_searched = near.left_out;
                    crate::map::build_near(engine, &near.files, &gone, progress)
                }
            }
        });
        let root = engine.project().root();
        let read = |path: &RelPath| std::fs::read(path.to_path(root)).ok();
        let mut told = Self { studies: Vec::new(), stories: Vec::new(), map, not_searched };
        for ((study, mut story), file) in studies.into_iter().zip(&changes.files) {
            risk::judge(told.map.as_ref(), &protected, &read, file, &study, &mut story);
            told.studies.push(study);
            told.stories.push(story);
        }
        Ok(told)
    }
}
