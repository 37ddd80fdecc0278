//! What was agreed on: when the work counts as done, and what shows it. (HK8)
//!
//! Criteria come from `stop.acceptance` and from the goal (`vib memory intent "…, done when: A; B"`). One that names a command in backticks is shown by
//! that command: it passed on what is there now, as vib saw or ran it. Every other one only a person can tick. Ticks are kept beside the
//! project, where no agent writes.

use std::path::PathBuf;

use ::gates::CheckStanding;
use ::gates::stop::KnownCheck;
use ::memory::work::CheckResult;
use serde::{Deserialize, Serialize};

use crate::person::ByPerson;
use crate::verification::{checks, results};
use crate::{Engine, Error, Result, private_file};

/// Criteria that are looked at.
const MOST: usize = 20;
/// Words with which a goal says when it is reached.
const WHEN: &[&str] = &[
    "done when",
    "accepted when",
    "acceptance:",
    "acceptance criteria",
    "완료 조건",
    "완료 기준",
    "인수 조건",
    "完了条件",
    "受け入れ条件",
    "完成标准",
    "完成条件",
    "验收标准",
    "验收条件",
];

/// What shows that it is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The command that it names passed on what is there now.
    Check,
    /// A person said so.
    Person,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Criterion {
    /// From 1, in the order of the list.
    pub number: usize,
    /// As it was agreed on.
    pub text: String,
    /// `setting` or `goal`.
    pub from: &'static str,
    /// The command that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What shows it; none: nothing yet.
    pub shown: Option<Shown>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Ticked {
    schema_version: u32,
    ticked: Vec<String>,
}

fn file(engine: &Engine) -> PathBuf {
    engine.project().state().join("acceptance.json")
}

fn ticked(engine: &Engine) -> Vec<String> {
    let read = || serde_json::from_slice::<Ticked>(&std::fs::read(file(engine)).ok()?).ok();
    read().unwrap_or_default().ticked
}

/// How each criterion stands, held against these checks, what vib ran and what is remembered.
pub fn standing(engine: &Engine, seen: &[KnownCheck]) -> Vec<Criterion> {
    let remembered = crate::memory::show(engine).ok().map(|shown| shown.memory);
    let goal =
        remembered.as_ref().and_then(|memory| memory.active_intent.as_ref()).filter(|goal| !goal.stale);
    let setting =
        engine.project().config().list("stop.acceptance").iter().map(|text| (text.clone(), "setting"));
    let of_goal = goal.map(|goal| criteria_in(&goal.text)).unwrap_or_default();
    let mut all: Vec<(String, &'static str)> = Vec::new();
    for (text, from) in setting.chain(of_goal.into_iter().map(|text| (text, "goal"))) {
        if !text.trim().is_empty() && !all.iter().any(|(known, _)| *known == text) {
            all.push((text, from));
        }
    }
    let known: Vec<String> =
        checks::known(engine).unwrap_or_default().into_iter().map(|check| check.line).collect();
    // What vib itself ran by `vib verify -- COMMAND`; what somebody only said to have run is no evidence.
    let ran = remembered.iter().flat_map(|memory| &memory.verification).filter(|check| {
        check.result == CheckResult::Passed && check.stale.is_none() && check.duration_ms.is_some()
    });
    let mut passed: Vec<String> = ran.map(|check| check.command.clone()).collect();
    passed.extend(seen.iter().filter(|check| holds(check)).map(|check| check.command.clone()));
    // A check that fails now is not shown by an earlier run.
    let fails = |command: &str| {
        seen.iter().any(|check| {
            same(&check.command, command)
                && (check.passed == Some(false) || check.standing.is_some_and(CheckStanding::is_bad))
        })
    };
    let ticks = ticked(engine);
    all.into_iter()
        .take(MOST)
        .enumerate()
        .map(|(at, (text, from))| {
            let command = command_in(&text, &known);
            let shown = match &command {
                _ if ticks.contains(&text) => Some(Shown::Person),
                Some(command) if !fails(command) && passed.iter().any(|line| same(line, command)) => {
                    Some(Shown::Check)
                }
                _ => None,
            };
            Criterion { number: at + 1, text, from, command, shown }
        })
        .collect()
}

/// The same for the command line: held against the newest run, whoever asked for it.
pub fn list(engine: &Engine) -> Vec<Criterion> {
    let seq = engine
        .store(&store::Silent)
        .ok()
        .and_then(|opened| opened.store.nearest_kept(i64::MAX, false).ok().flatten());
    let newest = results::newest_of(engine, seq).into_iter().flat_map(|run| run.checks);
    let own: Vec<KnownCheck> = newest
        .map(|(command, standing, failures)| KnownCheck {
            command,
            passed: None,
            stale: false,
            old: false,
            standing,
            failures,
            tests: true,
            own: None,
        })
        .collect();
    standing(engine, &own)
}

/// A person says of these that they are so, or takes it back.
pub fn tick(engine: &Engine, numbers: &[usize], undo: bool, _by: ByPerson) -> Result<Vec<Criterion>> {
    let all = list(engine);
    let mut stored = Ticked { schema_version: 1, ticked: ticked(engine) };
    for number in numbers {
        let Some(one) = all.iter().find(|one| one.number == *number) else {
            return Err(Error::Usage(format!(
                "there is no criterion {number}: `vib stop accept` lists the {} that there are",
                all.len()
            )));
        };
        stored.ticked.retain(|text| *text != one.text);
        if !undo {
            stored.ticked.push(one.text.clone());
        }
    }
    // What is not agreed on any more is forgotten.
    stored.ticked.retain(|text| all.iter().any(|one| one.text == *text));
    let text = serde_json::to_vec(&stored).map_err(|error| store::Error::Io(error.into()))?;
    private_file::write(&file(engine), &text).map_err(store::Error::from)?;
    Ok(list(engine))
}

fn holds(check: &KnownCheck) -> bool {
    check.standing == Some(CheckStanding::Passes) || (check.passed == Some(true) && !check.stale)
}

fn same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

/// What stands after "done when" in a goal, one by one.
fn criteria_in(goal: &str) -> Vec<String> {
    let lower = goal.to_lowercase();
    // Letters may change their length with their case: then the place is not the same.
    let lower = if lower.len() == goal.len() { lower } else { goal.to_owned() };
    let Some((at, word)) = WHEN.iter().filter_map(|word| Some((lower.find(word)?, word))).min() else {
        return Vec::new();
    };
    let Some(rest) = goal.get(at + word.len()..) else { return Vec::new() };
    rest.trim_start_matches([':', '：', ' ', ',', '-'])
        .split(['\n', ';', '；'])
        .map(|one| {
            one.trim()
                .trim_start_matches(['-', '*', '•', ' '])
                .trim_start_matches("[ ]")
                .trim()
                .trim_end_matches(['.', '。'])
        })
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The command in backticks that shows it: one that the project has, or one that is a check by its name.
fn command_in(text: &str, known: &[String]) -> Option<String> {
    let named = |line: &&str| known.iter().any(|check| same(check, line)) || spiral::is_check(line);
    text.split('`').skip(1).step_by(2).map(str::trim).find(named).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_may_say_when_it_is_reached_hk8() {
        let goal = "Add the tax. Done when: `npm test` passes; the total shows two digits; README names the setting.";
        assert_eq!(
            criteria_in(goal),
            ["`npm test` passes", "the total shows two digits", "README names the setting"]
        );
        assert_eq!(
            criteria_in("세금 추가. 완료 조건: 합계가 맞다\n- 문서가 있다"),
            ["합계가 맞다", "문서가 있다"]
        );
        assert_eq!(criteria_in("加上税。验收标准：总价正确；文档更新"), ["总价正确", "文档更新"]);
        assert!(criteria_in("Add the tax").is_empty());
    }

    #[test]
    fn only_a_command_that_checks_shows_something_hk8() {
        assert_eq!(command_in("`npm test` passes", &[]).as_deref(), Some("npm test"));
        assert_eq!(
            command_in("`./verify-all` says ok", &["./verify-all".to_owned()]).as_deref(),
            Some("./verify-all")
        );
        assert_eq!(command_in("`README.md` names the setting", &[]), None);
        assert_eq!(command_in("the total is right", &[]), None);
    }
}
