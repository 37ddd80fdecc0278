//! What would this command do, and may it run?
//!
//! [`judge_command`] is on the hot path of every hook: it opens no database, starts no program (unless the user set up
//! a second opinion, and then only for what was not understood), and reads a handful of small files. It always answers;
//! what goes wrong on the way makes the answer stricter and is named in [`JudgeReport::warnings`].

mod breaker;
mod fenced;
mod known_writes;
pub(crate) mod llm;
mod losses;
mod merged;
mod new_files;
mod own_program;
mod policy_files;
mod seen_code;

use std::path::{Path, PathBuf};

use project::{Config, Context, find_root_from, own_project_of};
use schemars::JsonSchema;
use serde::Serialize;
use shell::{Covered, FileView, JudgeContext, Kind, Policy, StdFiles};
pub use shell::{Decision, Place, Reason, Target, Verdict, holds_live_key, is_secret, takes_data_away};

pub use fenced::{ask_unfenced, behind_fence, wants_fence};
pub use known_writes::known_writes;
pub use llm::{Opinion, SecondOpinion};
pub use losses::{Losses, MOST_BYTES as MOST_SAVED_BYTES, losses, save_losses};
pub use new_files::allow_new_files;

/// Longest command line that is repeated in a report, in characters.
const SHOWN: usize = 2000;

/// Largest git configuration that is searched for aliases, in bytes.
const GIT_CONFIG_LIMIT: u64 = 256 * 1024;

/// The judge's answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct JudgeReport {
    /// The command line, cut if it is very long.
    pub command: String,
    /// The folder it would run in.
    pub cwd: String,
    /// The project around that folder; nothing where there is none, and then nothing is covered by checkpoints.
    pub root: Option<String>,
    /// What should happen.
    pub decision: Decision,
    /// Whether a checkpoint should be saved before it runs: it may write in the project.
    pub needs_checkpoint: bool,
    /// Whether a loss that a checkpoint covers may run unasked (`allow`) or not (`ask`).
    pub covered: String,
    /// What it would overwrite or delete that no checkpoint holds, as far as it can be saved by name before it runs: paths in
    /// the project. Whoever saves it (see `save_losses`) need not ask for that reason.
    pub save_first: Vec<String>,
    /// The facts and the reasons.
    pub verdict: Verdict,
    /// What another program said, where the user set one up and vib did not understand the command.
    pub second_opinion: Option<SecondOpinion>,
    /// What could not be read or was not used, in words.
    pub warnings: Vec<String>,
}

/// Most reasons in one answer: it is read by a person in a small box, and by a model.
const MAX_REASONS: usize = 3;

impl JudgeReport {
    /// Why it should not simply run, in one line.
    pub fn why(&self) -> String {
        let mut texts: Vec<String> = Vec::new();
        for reason in self.verdict.reasons.iter().filter(|reason| reason.decision >= Decision::Ask) {
            let text = match reason.about.as_str() {
                "" => reason.text.clone(),
                about => format!("{} (`{about}`)", reason.text),
            };
            if !texts.contains(&text) && texts.len() < MAX_REASONS {
                texts.push(text);
            }
        }
        let texts =
            if texts.is_empty() { "a person should look at this".to_owned() } else { texts.join("; ") };
        format!("vib: {texts}")
    }
}

/// What the judgement of one command depends on besides its text.
#[derive(Default)]
struct Surroundings {
    root: Option<PathBuf>,
    config: Config,
    covered: Covered,
    policy: Policy,
    /// Something that protects the user could not be read: nothing that changes anything runs unasked.
    blind: Option<String>,
    warnings: Vec<String>,
}

/// Judges a command line that would run in the current folder of `context`.
pub fn judge_command(context: &Context, command: &str) -> JudgeReport {
    judge_with(context, context.cwd(), command, Covered::Allow, Asks::Nobody)
}

/// The same where it is known which project the session is about, wherever in it (or in a project inside it) the command runs.
pub fn judge_command_in(context: &Context, project: &Path, command: &str) -> JudgeReport {
    judge_with(context, project, command, Covered::Allow, Asks::ThePerson)
}

/// The same for a caller that takes no checkpoint: a covered loss is asked about unless the environment says `allow`.
pub fn judge_without_checkpoint(context: &Context, command: &str) -> JudgeReport {
    judge_with(context, context.cwd(), command, Covered::Ask, Asks::Nobody)
}

/// Whether the answer is a question that a person will be asked, with a step in the ledger that tells what they said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    ThePerson,
    Nobody,
}

fn judge_with(
    context: &Context,
    project: &Path,
    command: &str,
    at_least: Covered,
    asks: Asks,
) -> JudgeReport {
    let mut around = Surroundings::of(context, project);
    if at_least == Covered::Ask && context.guard_covered().is_none() {
        around.covered = Covered::Ask;
    }
    let files = Files {
        root: around.root.as_deref(),
        config: &around.config,
        state: context.state().ok(),
        tracked: Default::default(),
    };
    let _told = tracing::debug_span!(target: "vib::judge", "judge", bytes = command.len()).entered();
    let mut verdict =
        shell::judge(command, &judge_context(context, &around, command, &files), &around.policy);
    if let Some(why) = &around.blind
        && !verdict.provably_harmless()
    {
        verdict.tighten("guard_blind", Decision::Ask, why.clone(), "");
    }
    if let Some(root) = &around.root {
        behind_links(root, &files, &mut verdict);
    }
    let lost = around.root.as_deref().map(|root| losses(root, &verdict)).unwrap_or_default();
    if lost.too_much {
        verdict.tighten(
            "loses_too_much",
            Decision::Ask,
            "what it overwrites or deletes is in no checkpoint and too much to save first: this cannot be brought back",
            "",
        );
    }
    if asks == Asks::ThePerson
        && let Some(root) = &around.root
    {
        seen_code::settle(context, root, command, &mut verdict);
    }
    let second_opinion = second_opinion(context, &mut around, command, &mut verdict);
    JudgeReport {
        command: command.chars().take(SHOWN).collect(),
        cwd: context.cwd().display().to_string(),
        decision: verdict.decision,
        needs_checkpoint: around.root.is_some() && verdict.writes_project,
        root: around.root.map(|root| root.display().to_string()),
        covered: if around.covered == Covered::Allow { "allow" } else { "ask" }.to_owned(),
        save_first: lost.paths.iter().map(ToString::to_string).collect(),
        verdict,
        second_opinion,
        warnings: around.warnings,
    }
}

/// Whoever writes through a link writes the file behind it, and that may be one that no checkpoint holds. (T6)
fn behind_links(root: &Path, files: &Files<'_>, verdict: &mut Verdict) {
    for target in &verdict.writes {
        let path = Path::new(&target.path);
        if path.is_symlink()
            && let Ok(real) = path.canonicalize()
            && real.starts_with(root)
            && files.is_saved(&real) == Some(false)
        {
            verdict.losses.push(real.display().to_string());
        }
    }
}

/// May this command write in the project? The short question that decides whether a checkpoint is needed at all: no
/// settings and no policies are read. True when in doubt.
pub fn may_write(context: &Context, command: &str) -> bool {
    let around = Surroundings::bare(context, context.cwd());
    let files = Files { root: None, config: &around.config, state: None, tracked: Default::default() };
    shell::judge(command, &judge_context(context, &around, command, &files), &Policy::default())
        .writes_project
}

/// Where a path leads that is written to by something else than a command, seen from the current folder of `context`. `root`: the
/// project, where there is one.
pub(crate) fn place_in(context: &Context, root: Option<&Path>, path: &str) -> Place {
    let around = Surroundings { root: root.map(Path::to_path_buf), ..Surroundings::default() };
    let files = Files { root: None, config: &around.config, state: None, tracked: Default::default() };
    shell::place_of(path, &judge_context(context, &around, "", &files))
}

impl Surroundings {
    fn bare(context: &Context, start: &Path) -> Self {
        // A folder that is too wide to be a project, or a world without a state folder: nothing is covered there.
        let root =
            find_root_from(context, start).ok().map(|(root, ..)| root).filter(|root| root.parent().is_some());
        Self { root, ..Self::default() }
    }

    fn of(context: &Context, start: &Path) -> Self {
        let mut around = Self::bare(context, start);
        let nowhere = PathBuf::new();
        let root = around.root.clone().unwrap_or(nowhere);
        match Config::load(context.config(), &root) {
            Ok(config) => {
                around.warnings.extend(config.warnings().iter().cloned());
                around.config = config;
            }
            Err(error) => around.go_blind(format!("{error}; {}", error.next())),
        }
        if around.config.word("guard.covered") == "ask" {
            around.covered = Covered::Ask;
        }
        match context.guard_covered().map(|word| word.to_str()) {
            None => {}
            Some(Some("allow")) => around.covered = Covered::Allow,
            Some(Some("ask")) => around.covered = Covered::Ask,
            Some(_) => {
                around.covered = Covered::Ask;
                around
                    .warnings
                    .push("VIBELIGN_GUARD_COVERED is neither `allow` nor `ask`: taken as `ask`".to_owned());
            }
        }
        let policies = policy_files::load(context.config(), around.root.as_deref());
        around.policy = policies.policy;
        around.warnings.extend(policies.warnings);
        if let Some(problem) = policies.problem {
            around.go_blind(problem);
        }
        around
    }

    fn go_blind(&mut self, why: String) {
        self.warnings.push(why.clone());
        self.covered = Covered::Ask;
        self.blind.get_or_insert(why);
    }
}

/// The file system as the judge sees it: the real one, and what the store would save of it.
struct Files<'a> {
    root: Option<&'a Path>,
    config: &'a Config,
    state: Option<&'a Path>,
    /// What git tracks, once somebody asked.
    tracked: std::sync::OnceLock<git::Tracked>,
}

impl FileView for Files<'_> {
    fn is_repository(&self, folder: &Path) -> bool {
        StdFiles.is_repository(folder)
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        StdFiles.resolve(path)
    }

    fn read_small(&self, path: &Path, limit: u64) -> Option<String> {
        StdFiles.read_small(path, limit)
    }

    fn opening(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        StdFiles.opening(path, most)
    }

    fn list(&self, folder: &Path, most: usize) -> Option<Vec<(String, Kind)>> {
        StdFiles.list(folder, most)
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        StdFiles.kind(path)
    }

    fn is_same_file(&self, one: &Path, other: &Path) -> bool {
        StdFiles.is_same_file(one, other)
    }

    fn has_other_names(&self, path: &Path) -> bool {
        StdFiles.has_other_names(path)
    }

    fn is_vib(&self, path: &Path) -> bool {
        own_program::is_vib(path)
    }

    fn is_vibs_record(&self, path: &Path) -> bool {
        self.state.is_some_and(|state| own_program::is_record(state, path))
    }

    fn unsaved_below(&self, path: &Path, most: usize) -> Option<Vec<PathBuf>> {
        let root = self.root?;
        let own = own_project_of(root, path).filter(|own| own != path);
        store::unsaved_below(own.as_deref().unwrap_or(root), self.config, path, most)
    }

    fn is_held_elsewhere(&self, branches: &[&str]) -> Option<bool> {
        Some(merged::are_held(self.root?, branches))
    }

    fn branches_there(&self, branches: &[&str]) -> Option<Vec<String>> {
        merged::there(self.root?, branches)
    }

    fn is_tracked(&self, path: &Path) -> bool {
        let Some((root, inside)) = self.root.and_then(|root| Some((root, path.strip_prefix(root).ok()?)))
        else {
            return false;
        };
        let tracked = self.tracked.get_or_init(|| {
            let index = git::Folder::of(root).and_then(|git| std::fs::read(git.own.join("index")).ok());
            index.map(|index| git::Tracked::read(&index)).unwrap_or_default()
        });
        tracked.holds(&project::platform::path_to_bytes(inside))
    }

    fn is_saved(&self, path: &Path) -> Option<bool> {
        let root = self.root?;
        match own_project_of(root, path) {
            // It goes with its link to the repository, which no checkpoint holds.
            Some(own) if own == path => Some(false),
            Some(own) => store::is_saved(&own, self.config, path),
            None => store::is_saved(root, self.config, path),
        }
    }
}

fn judge_context<'a>(
    context: &Context,
    around: &Surroundings,
    command: &str,
    files: &'a Files<'a>,
) -> JudgeContext<'a> {
    let home = context.home().map_or_else(|| PathBuf::from("/root"), Path::to_path_buf);
    let mut judging = JudgeContext::new(around.root.clone().unwrap_or_default(), home, files);
    judging.cwd = context.cwd().to_path_buf();
    judging.covered = around.covered;
    if let Ok(state) = context.state() {
        judging.state_dir = state.to_path_buf();
    }
    if let Some(config) = context.config() {
        judging.config_dir = config.to_path_buf();
    }
    judging.own_programs = own_program::names(context.home());
    judging.environment = known_variables(context);
    judging.temp_dirs.extend(context.temp().map(Path::to_path_buf));
    if command.contains("git") {
        judging.git_aliases = git_aliases(around.root.as_deref(), context.home());
    }
    judging
}

/// Variables that name places where vib, agents, git or the shell keep what steers them: a command may write there by their names.
const PLACES: &[&str] = &[
    "VIBELIGN_STATE",
    "VIBELIGN_CONFIG",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CONFIG_DIR",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "BASH_ENV",
    "ENV",
    "ZDOTDIR",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_CONFIG_GLOBAL",
    "CARGO_HOME",
    "CLAUDE_PROJECT_DIR",
    "OLDPWD",
];

fn known_variables(context: &Context) -> Vec<(String, String)> {
    let value = |name: &&str| Some(((*name).to_owned(), context.variable(name)?.into_string().ok()?));
    PLACES.iter().filter_map(value).collect()
}

/// The aliases of the repository and of the user, the repository's first.
fn git_aliases(root: Option<&Path>, home: Option<&Path>) -> Vec<(String, String)> {
    let files = [
        root.and_then(git::Folder::of).map(|git| git.common.join("config")),
        home.map(|home| home.join(".gitconfig")),
        home.map(|home| home.join(".config/git/config")),
    ];
    let read = |path: PathBuf| StdFiles.read_small(&path, GIT_CONFIG_LIMIT);
    files.into_iter().flatten().filter_map(read).flat_map(|text| shell::git_aliases(&text)).collect()
}

/// Asks the user's program, where there is one and vib did not understand the command. It can only change "ask".
fn second_opinion(
    context: &Context,
    around: &mut Surroundings,
    command: &str,
    verdict: &mut Verdict,
) -> Option<SecondOpinion> {
    if around.config.list("guard.llm_command").is_empty()
        || around.blind.is_some()
        || !verdict.asks_only_for_unknown()
    {
        return None;
    }
    let opinion = llm::ask(context, &around.config, command, verdict);
    match opinion.said {
        Opinion::Allow => {
            for reason in &mut verdict.reasons {
                reason.decision = reason.decision.min(Decision::AllowWithCheckpoint);
            }
            verdict.decision = Decision::AllowWithCheckpoint;
        }
        Opinion::Deny => {
            verdict.tighten("second_opinion", Decision::Deny, opinion.reason.clone(), &opinion.program);
        }
        Opinion::Ask | Opinion::None => {}
    }
    Some(opinion)
}

#[cfg(test)]
mod tests;
