//! Which sayings fit the moment, and how they are told: each once in a session, few, and only where they apply.

use std::collections::BTreeSet;

use ::memory::said::{Facets, Sort, facets, is_substantial, to_do};
use words::upper_tokens;

use super::sayings::{self, Saying, Standing};
use super::{HEADER, use_of};
use crate::agent::{SessionFile, SessionState, Who};
use crate::{Engine, Result};

/// What may be told at once, in tokens.
const START_TOKENS: usize = 220;
const PROMPT_TOKENS: usize = 170;
const TOOL_TOKENS: usize = 110;
/// What is told in one session, in tokens; pins come on top.
const SESSION_TOKENS: u64 = 480;
/// Most at once.
const MOST: usize = 4;
/// Longest part of one that is told, in characters.
const LONGEST: usize = 220;
const MOST_TOLD: usize = 200;

/// The moment.
#[derive(Debug, Clone, Copy)]
pub enum TellingMoment<'a> {
    /// A session begins.
    Start {
        /// The client tells its model nothing later on, with a prompt.
        only: bool,
    },
    /// The person asks for something.
    Prompt(&'a str),
    /// A tool is about to run, or has run.
    Tool {
        /// The command line, for a shell.
        command: Option<&'a str>,
        /// The files it names, relative to the root.
        paths: &'a [String],
        /// What it would put there.
        content: &'a str,
    },
}

/// What the model of this session has to be told now; empty nearly always.
pub fn telling(engine: &Engine, who: &Who, moment: TellingMoment<'_>) -> Result<Vec<String>> {
    let known = match moment {
        TellingMoment::Tool { .. } => sayings::as_of_last_prompt(engine),
        TellingMoment::Start { .. } | TellingMoment::Prompt(_) => sayings::all(engine)?,
    };
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let applying = applying(&known, &state, moment);
    if !applying.is_empty() {
        note_applied(engine, &file, &state, &applying)?;
    }
    let now_ms = engine.context().now_ms();
    let chosen = choose(engine, &known, &state, moment);
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let lines: Vec<String> = chosen.iter().map(|saying| line(saying)).collect();
    let ids: Vec<String> = chosen.iter().map(|saying| saying.id.clone()).collect();
    let tokens: usize = lines.iter().map(|line| upper_tokens(line) + 1).sum();
    file.update(|state| {
        state.said_told.extend(ids.iter().cloned());
        state.said_tokens += tokens as u64;
        let extra = state.said_told.len().saturating_sub(MOST_TOLD);
        state.said_told.drain(..extra);
        // What is told because it applies is of use with that.
        if matches!(moment, TellingMoment::Tool { .. }) {
            state.said_applied.extend(ids.iter().cloned());
        }
    })?;
    use_of::count(engine, &ids, |used| used.told += 1);
    if matches!(moment, TellingMoment::Tool { .. }) {
        use_of::count(engine, &ids, |used| {
            used.applied += 1;
            used.last_ms = now_ms;
        });
    }
    Ok(std::iter::once(HEADER.to_owned()).chain(lines).collect())
}

/// The few that fit and that the model of this session does not know.
pub(super) fn choose<'s>(
    engine: &Engine,
    known: &'s [Saying],
    state: &SessionState,
    moment: TellingMoment<'_>,
) -> Vec<&'s Saying> {
    let now_ms = engine.context().now_ms();
    let used = use_of::all(engine);
    let told: BTreeSet<&String> = state.said_told.iter().collect();
    let fresh = |saying: &&Saying| !told.contains(&saying.id) && !sayings::is_silent(saying, &used, now_ms);
    let about = about(moment);
    let mut fitting: Vec<(i64, &Saying)> = known
        .iter()
        .filter(fresh)
        .filter_map(|saying| Some((fit(saying, moment, &about)?, saying)))
        .collect();
    fitting.sort_by_key(|(fit, saying)| std::cmp::Reverse((*fit, saying.standing, saying.time_ms)));
    within(&fitting, moment, state.said_tokens)
}

/// Sayings that were told before and that this step is about: they are of use. Each counts once in a session.
fn applying<'s>(known: &'s [Saying], state: &SessionState, moment: TellingMoment<'_>) -> Vec<&'s Saying> {
    let TellingMoment::Tool { .. } = moment else { return Vec::new() };
    let is_due =
        |saying: &&Saying| state.said_told.contains(&saying.id) && !state.said_applied.contains(&saying.id);
    let about = about(moment);
    known.iter().filter(is_due).filter(|saying| fit(saying, moment, &about).is_some()).collect()
}

fn note_applied(
    engine: &Engine,
    file: &SessionFile,
    _state: &SessionState,
    applying: &[&Saying],
) -> Result<()> {
    let ids: Vec<String> = applying.iter().map(|saying| saying.id.clone()).collect();
    file.update(|state| state.said_applied.extend(ids.iter().cloned()))?;
    let now_ms = engine.context().now_ms();
    use_of::count(engine, &ids, |used| {
        used.applied += 1;
        used.last_ms = now_ms;
    });
    Ok(())
}

fn within<'s>(fitting: &[(i64, &'s Saying)], moment: TellingMoment<'_>, told_tokens: u64) -> Vec<&'s Saying> {
    let most = match moment {
        TellingMoment::Start { .. } => START_TOKENS,
        TellingMoment::Prompt(_) => PROMPT_TOKENS,
        TellingMoment::Tool { .. } => TOOL_TOKENS,
    };
    let mut left = most.saturating_sub(upper_tokens(HEADER));
    let mut of_session = SESSION_TOKENS.saturating_sub(told_tokens);
    let mut chosen = Vec::new();
    for (_, saying) in fitting {
        let cost = upper_tokens(&line(saying)) + 1;
        let fits = cost <= left && (cost as u64 <= of_session || saying.standing == Standing::Pinned);
        if fits && chosen.len() < MOST {
            left -= cost;
            of_session = of_session.saturating_sub(cost as u64);
            chosen.push(*saying);
        }
    }
    chosen
}

/// What the moment is about: worked out once for all sayings.
fn about(moment: TellingMoment<'_>) -> Facets {
    match moment {
        TellingMoment::Start { .. } => Facets::default(),
        TellingMoment::Prompt(prompt) => facets(&to_do(prompt)),
        TellingMoment::Tool { command: Some(command), .. } => facets(&what_it_does(command)),
        TellingMoment::Tool { command: None, paths, .. } => facets(&paths.join(" ")),
    }
}

/// How well a saying fits; nothing if it does not apply.
fn fit(saying: &Saying, moment: TellingMoment<'_>, about: &Facets) -> Option<i64> {
    match moment {
        TellingMoment::Start { only } => match saying.standing {
            Standing::Pinned => Some(2),
            // A client that tells its model nothing with a prompt has to tell it now.
            _ => (only && is_general(saying)).then_some(1),
        },
        TellingMoment::Prompt(prompt) => {
            let names_file = saying
                .paths
                .iter()
                .any(|path| prompt.contains(path.as_str()) || prompt.contains(file_name(path)));
            let common = common(saying, about) + i64::from(names_file) * 3;
            // A correction is about the files it was said of: a topic in common says little, and it is told again before they are edited.
            let bound = saying.sort == Sort::Correction && !saying.paths.is_empty();
            if bound && !names_file && saying.facets.names.intersection(&about.names).count() < 2 {
                return None;
            }
            // What names no topic holds for all work; a question is none, and neither is a remark.
            let general = is_general(saying) && is_substantial(prompt) && !to_do(prompt).is_empty();
            (common > 0).then_some(common).or(general.then_some(1))
        }
        TellingMoment::Tool { command, paths, content } => {
            let touched = saying
                .paths
                .iter()
                .any(|path| paths.iter().any(|touched| touched == path || is_inside(touched, path)));
            if touched {
                return Some(9);
            }
            if breaks(saying, command.is_some(), about, content) {
                return Some(8);
            }
            // A correction is about the files it was said of.
            if saying.sort == Sort::Correction && !saying.paths.is_empty() {
                return None;
            }
            let common =
                if command.is_some() { common_with_run(saying, about) } else { common(saying, about) };
            let general = is_general(saying) && command.is_none();
            (common > 0).then_some(common).or(general.then_some(1))
        }
    }
}

/// What names no topic and no thing holds for everything; a correction is bound to its files.
fn is_general(saying: &Saying) -> bool {
    saying.facets.is_general() && saying.sort == Sort::Rule && saying.paths.is_empty()
}

/// Names weigh more than topics: they are rarer.
fn common(saying: &Saying, other: &Facets) -> i64 {
    let names = saying.facets.names.intersection(&other.names).count();
    let topics = saying.facets.topics.intersection(&other.topics).count();
    i64::try_from(2 * names + topics).unwrap_or(0)
}

/// Running the tests is not writing them: what is only checked is no reason to say how it is made, unless the saying is about running.
fn common_with_run(saying: &Saying, about: &Facets) -> i64 {
    const CHECKED: [&str; 4] = ["tests", "build", "format", "ci"];
    const RUNS: [&str; 8] = ["run", "실행", "돌려", "実行", "走らせ", "运行", "跑", "执行"];
    let lower = saying.text.to_lowercase();
    if RUNS.iter().any(|word| lower.contains(word)) {
        return common(saying, about);
    }
    let mut about = about.clone();
    about.topics.retain(|topic| !CHECKED.contains(&topic.as_str()));
    common(saying, &about)
}

/// The step uses what the person refused, or another one than they chose.
fn breaks(saying: &Saying, runs: bool, about: &Facets, content: &str) -> bool {
    let Facets { wants, refuses, against, .. } = &saying.facets;
    if wants.is_empty() && refuses.is_empty() && against.is_empty() {
        return false;
    }
    let other = runs
        && about.wants.iter().any(|choice| {
            refuses.contains(choice)
                || (wants.iter().any(|(group, _)| *group == choice.0) && !wants.contains(choice))
        });
    let imported = |name: &String| {
        name.len() > 3
            && content.lines().any(|line| {
                (line.contains("import") || line.contains("require") || line.contains("use "))
                    && line.to_lowercase().contains(name.as_str())
            })
    };
    other || against.iter().any(imported) || refuses.iter().any(|(_, name)| imported(name))
}

/// A command line without what it says in quotation marks.
fn what_it_does(command: &str) -> String {
    let mut out = String::new();
    let mut quote: Option<char> = None;
    for letter in command.chars().take(400) {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None => out.push(letter),
        }
    }
    out
}

fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// As it is told: whose words, when, where, and how far somebody stands behind it.
pub(super) fn line(saying: &Saying) -> String {
    let time = jiff::Timestamp::from_millisecond(saying.time_ms).unwrap_or_default();
    let day = time.strftime("%Y-%m-%d");
    let flat = saying.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text: String = flat.chars().take(LONGEST).collect();
    if text.len() < flat.len() {
        text.push('…');
    }
    let doubt = match saying.standing {
        Standing::Proposed => ", not confirmed",
        Standing::Used => "",
        Standing::Kept | Standing::Pinned => ", confirmed",
    };
    let about = match saying.paths.as_slice() {
        [] => String::new(),
        paths => {
            format!(" about {}", paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", "))
        }
    };
    format!("- \"{text}\"{about} ({day}{doubt})")
}
