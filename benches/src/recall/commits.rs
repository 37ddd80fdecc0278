//! Developer text: commit messages are the memories, and a later commit that names an earlier one is a question whose
//! answer is known. The touched files are what the person was working on.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use memory::recall::{Document, Index, Query, Weights};

use super::Figure;
use crate::measure;

/// A hash in a message has at least so many digits.
const SHORTEST: usize = 8;
/// At most so many questions, spread over the history.
const MOST: usize = 3000;

struct Question {
    query: Query,
    answers: Vec<String>,
    /// It quotes the title of what it takes back or carries over, so its words alone give it away.
    quotes: bool,
}

pub fn measure(repository: &Path, choose: bool) -> Result<Vec<Figure>> {
    let commits = read(repository)?;
    let questions = questions(&commits, &pull_requests(repository, &commits)?);
    let mut index = Index::of(&commits)?;
    let every = questions.len().div_ceil(MOST).max(1);
    let some: Vec<&Question> = questions.iter().step_by(every).collect();
    let to_choose: Vec<&Question> = some.iter().copied().step_by(2).collect();
    let to_measure: Vec<&Question> = some.iter().copied().skip(1).step_by(2).collect();
    if choose {
        for weights in grid() {
            index.set_weights(weights);
            let all = score(&index, &to_choose, true)?;
            let Weights { file, name, folder, fresh, recency, .. } = weights;
            eprintln!(
                "  file {file} name {name} folder {folder} fresh {fresh} recency {recency}: R@10 {all:.3}"
            );
        }
    }
    let built_in = Weights::default();
    let text = Weights { file: 0.0, name: 0.0, folder: 0.0, recency: 0.0, ..built_in };
    let paths = Weights { recency: 0.0, ..built_in };
    let mut figures = vec![
        Figure::new("commits as memories", commits.len() as f64),
        Figure::new("commits that name an earlier one", questions.len() as f64),
    ];
    let own: Vec<&Question> = to_measure.iter().copied().filter(|question| !question.quotes).collect();
    let all_own: Vec<&Question> = some.iter().copied().filter(|question| !question.quotes).collect();
    let sets = [
        ("all", some, true),
        ("all in their own words", all_own, true),
        ("every other, not chosen on", to_measure, true),
        ("every other in their own words", own, true),
    ];
    for (name, some, counts) in sets {
        let mut results = Vec::new();
        for (what, weights) in [("text alone", text), ("+ paths", paths), ("+ paths + recency", built_in)] {
            index.set_weights(weights);
            let value = score(&index, &some, true)?;
            figures.push(Figure::new(format!("commits R@10, {name} ({}), {what}", some.len()), value));
            results.push(value);
        }
        index.set_weights(built_in);
        let value = score(&index, &some, false)?;
        figures.push(Figure::new(format!("commits R@10, {name}, + both, repetitions not left out"), value));
        let lift = (results[2] - results[0]) * 100.0;
        let what = format!("commits, {name}: points from paths and recency");
        figures.push(if counts { Figure::at_least(what, lift, 15.0) } else { Figure::new(what, lift) });
    }
    Ok(figures)
}

fn grid() -> Vec<Weights> {
    let mut all = Vec::new();
    for (file, name, folder) in
        [(0.4, 0.8, 0.8), (0.8, 1.5, 1.5), (0.7, 1.4, 1.8), (1.5, 1.5, 1.5), (4.0, 2.0, 2.0)]
    {
        for (fresh, recency) in [(0.5, 0.06), (0.5, 0.1), (0.5, 0.15), (0.2, 0.2)] {
            all.push(Weights { file, name, folder, fresh, recency, ..Weights::default() });
        }
    }
    all
}

/// The mean share of the answers among the first ten.
fn score(index: &Index, questions: &[&Question], diverse: bool) -> Result<f64> {
    let mut sum = 0.0;
    for question in questions {
        let hits = index.search(&Query { diverse, ..question.query.clone() })?;
        let found = question.answers.iter().filter(|id| hits.iter().any(|hit| hit.id == **id)).count();
        sum += found as f64 / question.answers.len() as f64;
    }
    Ok(sum / questions.len().max(1) as f64)
}

/// All commits that are no merges, oldest first.
pub fn read(repository: &Path) -> Result<Vec<Document>> {
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(repository).args(["log", "--no-merges", "--no-renames", "--name-only"]);
    git.args(["--reverse", "--format=%x01%H%x02%ct%x02%B%x02"]);
    let output = measure::read(&mut git)?;
    let text = String::from_utf8_lossy(&output);
    let mut commits = Vec::new();
    for entry in text.split('\u{1}').skip(1) {
        let mut fields = entry.split('\u{2}');
        let (Some(hash), Some(time), Some(message)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let paths = fields.next().unwrap_or_default().lines().filter(|line| !line.is_empty());
        commits.push(Document {
            id: hash.to_owned(),
            text: message.trim().to_owned(),
            // A commit that touches more is a sweep through everything.
            paths: paths.take(200).map(str::to_owned).collect(),
            time_ms: time.parse::<i64>()? * 1000,
            scope: "repository".to_owned(),
            class: "commit".to_owned(),
            importance: 0.5,
            ..Document::default()
        });
    }
    Ok(commits)
}

/// The last commit of each merged pull request, or the only one.
fn pull_requests(repository: &Path, commits: &[Document]) -> Result<HashMap<u32, String>> {
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(repository).args(["log", "--merges", "--format=%P %s"]);
    let output = measure::read(&mut git)?;
    let text = String::from_utf8_lossy(&output);
    let squashed = commits.iter().filter_map(|commit| Some((number(title(commit))?, commit.id.clone())));
    let mut all: HashMap<u32, String> = squashed.collect();
    let merged = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let (_, head, title) = (words.next()?, words.next()?, words.next()?);
        Some((number(title)?, head.to_owned()))
    };
    all.extend(text.lines().filter_map(merged));
    Ok(all)
}

fn title(commit: &Document) -> &str {
    commit.text.lines().next().unwrap_or_default()
}

/// The pull request that a title names: `Merge pull request #12 from …`, `Auto merge of #12 - …`, `fix: … (#12)`.
fn number(title: &str) -> Option<u32> {
    let merge = ["Merge pull request #", "Auto merge of #", "auto merge of #"];
    if let Some(rest) = merge.iter().find_map(|start| title.strip_prefix(start)) {
        return rest.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok();
    }
    title.strip_suffix(')')?.rsplit_once("(#")?.1.parse().ok()
}

fn questions(commits: &[Document], pull_requests: &HashMap<u32, String>) -> Vec<Question> {
    let mut by_hash: Vec<(&str, usize)> =
        commits.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
    by_hash.sort_unstable();
    let by_prefix = |prefix: &str| {
        let at = by_hash.partition_point(|(hash, _)| *hash < prefix);
        by_hash.get(at).filter(|(hash, _)| hash.starts_with(prefix)).map(|(_, at)| *at)
    };
    let mut all = Vec::new();
    for commit in commits {
        let mut answers = Vec::new();
        let mut titles: Vec<String> = Vec::new();
        let mut words = Vec::new();
        for word in commit.text.split_whitespace() {
            let bare = word.trim_matches(|char: char| !char.is_ascii_alphanumeric() && char != '#');
            // `other/project#12`, a link and `1/2` name nothing in this repository.
            let number = bare.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok());
            let is_link = bare.contains("://") || bare.contains('#') && number.is_none();
            let is_hash = bare.len() >= SHORTEST && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
            let named = match number {
                Some(number) => pull_requests.get(&number).and_then(|hash| by_prefix(hash)),
                None if is_hash => by_prefix(&bare.to_ascii_lowercase()),
                None => None,
            };
            // What gives the answer away is not part of the question.
            if number.is_none() && !is_hash && !is_link {
                words.push(word);
            }
            // Only what was there before; and a commit does not ask for itself.
            let earlier = named.map(|at| &commits[at]).filter(|named| named.time_ms < commit.time_ms - 1000);
            if let Some(named) = earlier.filter(|named| named.id != commit.id) {
                answers.push(named.id.clone());
                // Without the number of its pull request.
                let title = title(named).to_lowercase();
                let title = title.rsplit_once(" (#").map_or(title.as_str(), |(title, _)| title);
                titles.extend((title.len() > 8).then(|| title.to_owned()));
            }
        }
        answers.sort();
        answers.dedup();
        if answers.is_empty() || answers.len() > 5 {
            continue;
        }
        let lower = commit.text.to_lowercase();
        let quotes = lower.starts_with("revert")
            || lower.contains("cherry pick")
            || lower.contains("cherry-pick")
            || lower.contains("this reverts")
            || lower.contains("cherry picked")
            || titles.iter().any(|title| lower.contains(title.as_str()));
        let query = Query {
            paths: commit.paths.clone(),
            now_ms: Some(commit.time_ms - 1000),
            ..Query::new(words.join(" "))
        };
        all.push(Question { query, answers, quotes });
    }
    all
}
