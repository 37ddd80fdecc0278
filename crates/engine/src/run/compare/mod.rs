//! Best of N: which attempt at a card is the best, by what vib itself found out about each. Pure.
//!
//! Some things end it at once: a test that was deleted or weakened, a check that passed before and fails now, work that did not come to its
//! end, a stop of the guard. What an attempt says about itself never helps it: it only counts against one that says it is not finished, or
//! that says it is while checks fail. Among those that pass, proof comes first (checks, findings, files outside of the card); only between
//! equals do size, cost and time decide, and then it is said that they were equal.

#[cfg(test)]
mod cases;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::fold::Attempt;
use super::model::CheckEvidence;

/// What an attempt says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// That it is done.
    Done,
    /// That something is open.
    Unfinished,
    /// Nothing of the kind.
    Nothing,
}

/// What the guard found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule and the place.
    pub code: String,
    /// It speaks against going on at all.
    pub stop: bool,
}

/// What is known about an attempt. Everything but `claim` and `ended` was found out by vib.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttemptFacts {
    /// `a1`.
    pub attempt: String,
    /// How it ended.
    pub ended: String,
    /// What it says.
    pub claim: Claim,
    /// The checks that vib ran on what it left behind.
    pub checks: Vec<CheckEvidence>,
    /// Tests that went or check less.
    pub weakened: Vec<String>,
    /// What the guard found.
    pub findings: Vec<Finding>,
    /// How many files changed.
    pub files: usize,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
    /// Files that changed and that the card does not name, where it names some.
    pub outside: Vec<String>,
    /// Dollars, where they are known.
    pub dollars: Option<f64>,
    /// Tokens, where they are known.
    pub tokens: Option<u64>,
    /// How long it took.
    pub milliseconds: u64,
    /// The hash of what it left behind.
    pub tree: Option<String>,
}

/// Why, and of whom; none: of all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldReason {
    /// The attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<String>,
    /// Why.
    pub reason: Reason,
}

/// Why; the surface words it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Reason {
    /// It did not come to its end.
    NotEnded {
        /// How it ended.
        ended: String,
    },
    /// It says itself that something is open.
    SaysUnfinished,
    /// It changed nothing.
    NoChange,
    /// Tests went or check less.
    WeakenedTests {
        /// Which.
        tests: Vec<String>,
    },
    /// It says that it is done, and checks fail that passed before.
    ClaimsDoneButFails {
        /// Which.
        checks: Vec<String>,
    },
    /// Checks fail that passed before.
    ChecksFail {
        /// Which.
        checks: Vec<String>,
    },
    /// Checks gave no answer.
    CheckNoAnswer {
        /// Which.
        checks: Vec<String>,
    },
    /// No check passed on it.
    NothingProven,
    /// The guard speaks against it.
    GuardStops {
        /// What it found.
        findings: Vec<String>,
    },
    /// It passes everything that was asked.
    Passes {
        /// So many checks.
        checks: usize,
    },
    /// Nobody passes.
    NobodyPasses,
    /// No checks were run, so that nothing is proven.
    NoChecks,
    /// No other one passes.
    OnlyOnePasses,
    /// More checks pass on it than on the next one.
    MoreChecksPass,
    /// It says that it is done; the next one does not.
    SaysDone,
    /// The guard found less than in the next one.
    FewerFindings,
    /// It changed nothing outside of the card; the next one did.
    StaysInCard,
    /// As good as the next one by all proof, and smaller.
    EqualSmaller {
        /// Lines that it changed.
        lines: u64,
        /// Lines that the next one changed.
        other: u64,
    },
    /// As good as the next one, and cheaper.
    EqualCheaper,
    /// As good as the next one, and faster.
    EqualFaster,
    /// Both left the same behind.
    EqualResult,
}

impl Reason {
    /// What of it somebody else wrote.
    pub(super) fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::NotEnded { ended } => vec![ended],
            Self::WeakenedTests { tests: all }
            | Self::ClaimsDoneButFails { checks: all }
            | Self::ChecksFail { checks: all }
            | Self::CheckNoAnswer { checks: all }
            | Self::GuardStops { findings: all } => all.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotEnded { .. } => "not_ended",
            Self::SaysUnfinished => "says_unfinished",
            Self::NoChange => "no_change",
            Self::WeakenedTests { .. } => "weakened_tests",
            Self::ClaimsDoneButFails { .. } => "claims_done_but_fails",
            Self::ChecksFail { .. } => "checks_fail",
            Self::CheckNoAnswer { .. } => "check_no_answer",
            Self::NothingProven => "nothing_proven",
            Self::GuardStops { .. } => "guard_stops",
            Self::Passes { .. } => "passes",
            Self::NobodyPasses => "nobody_passes",
            Self::NoChecks => "no_checks",
            Self::OnlyOnePasses => "only_one_passes",
            Self::MoreChecksPass => "more_checks_pass",
            Self::SaysDone => "says_done",
            Self::FewerFindings => "fewer_findings",
            Self::StaysInCard => "stays_in_card",
            Self::EqualSmaller { .. } => "equal_smaller",
            Self::EqualCheaper => "equal_cheaper",
            Self::EqualFaster => "equal_faster",
            Self::EqualResult => "equal_result",
        }
    }
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttemptRow {
    /// `a1`.
    pub attempt: String,
    /// It may win.
    pub passes: bool,
    /// Checks that pass.
    pub passed: usize,
    /// Checks that fail and did not before, or gave no answer.
    pub failed: usize,
    /// Lines that changed.
    pub lines: u64,
    /// Files that changed.
    pub files: usize,
    /// Dollars, where they are known.
    pub dollars: Option<f64>,
    /// How long it took.
    pub milliseconds: u64,
    /// Why it may win, or why not.
    pub reasons: Vec<Reason>,
}

/// Who is the best, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// One line each, in the order in which they were named.
    pub rows: Vec<AttemptRow>,
    /// The best; none: nobody passes.
    pub recommended: Option<String>,
    /// The next one is as good by all proof.
    pub equal: bool,
    /// Why this one, or why none.
    pub reasons: Vec<Reason>,
}

impl Judgement {
    /// Why this one, or why none, and why not the others.
    pub fn told(&self) -> Vec<ToldReason> {
        let of = |attempt: Option<&String>, reason: &Reason| ToldReason {
            attempt: attempt.cloned(),
            reason: reason.clone(),
        };
        let whole = self.reasons.iter().map(|reason| of(self.recommended.as_ref(), reason));
        let rows = self.rows.iter().flat_map(|row| {
            let not = row.reasons.iter().filter(|reason| !matches!(reason, Reason::Passes { .. }));
            not.map(|reason| of(Some(&row.attempt), reason))
        });
        whole.chain(rows).collect()
    }
}

/// Holds attempts at one card against each other.
pub fn judge(attempts: &[AttemptFacts]) -> Judgement {
    let rows: Vec<AttemptRow> = attempts.iter().map(row).collect();
    let mut passing: Vec<&AttemptFacts> =
        attempts.iter().zip(&rows).filter(|(_, row)| row.passes).map(|(facts, _)| facts).collect();
    passing.sort_by(|one, other| better(one, other));
    let (recommended, reasons, equal) = match passing.as_slice() {
        [] => {
            let has_no_checks = !attempts.is_empty() && attempts.iter().all(|facts| facts.checks.is_empty());
            let mut reasons = vec![Reason::NobodyPasses];
            if has_no_checks {
                reasons.push(Reason::NoChecks);
            }
            (None, reasons, false)
        }
        [only] => (Some(only.attempt.clone()), vec![Reason::OnlyOnePasses], false),
        [best, next, ..] => {
            let equal = by_proof(best, next) == Ordering::Equal;
            (Some(best.attempt.clone()), vec![why(best, next)], equal)
        }
    };
    Judgement { rows, recommended, equal, reasons }
}

fn with_status<'f>(facts: &'f AttemptFacts, fits: &[&str]) -> Vec<&'f str> {
    let checks = facts.checks.iter().filter(|check| fits.contains(&check.status.as_str()));
    checks.map(|check| check.command.as_str()).collect()
}

/// Checks of which nobody knows how they stand; a word that is not known is none of the answers.
fn unanswered(facts: &AttemptFacts) -> Vec<String> {
    let known = ["passed", "failed", "still_fails", "flaky", "not_run"];
    let open = facts.checks.iter().filter(|check| !known.contains(&check.status.as_str()));
    open.map(|check| check.command.clone()).collect()
}

fn row(facts: &AttemptFacts) -> AttemptRow {
    let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect::<Vec<String>>();
    let (passed, failed) = (with_status(facts, &["passed"]), owned(with_status(facts, &["failed"])));
    let open = unanswered(facts);
    let (passes, fails) = (passed.len(), failed.len() + open.len());
    let mut against = Vec::new();
    if facts.ended != "done" {
        against.push(Reason::NotEnded { ended: facts.ended.clone() });
    }
    if facts.claim == Claim::Unfinished {
        against.push(Reason::SaysUnfinished);
    }
    if facts.files == 0 {
        against.push(Reason::NoChange);
    }
    if !facts.weakened.is_empty() {
        against.push(Reason::WeakenedTests { tests: facts.weakened.clone() });
    }
    if !failed.is_empty() {
        against.push(match facts.claim {
            Claim::Done => Reason::ClaimsDoneButFails { checks: failed },
            _ => Reason::ChecksFail { checks: failed },
        });
    }
    if !open.is_empty() {
        against.push(Reason::CheckNoAnswer { checks: open });
    } else if passed.is_empty() && fails == 0 {
        against.push(Reason::NothingProven);
    }
    let stops: Vec<String> =
        facts.findings.iter().filter(|one| one.stop).map(|one| one.code.clone()).collect();
    if !stops.is_empty() {
        against.push(Reason::GuardStops { findings: stops });
    }
    let may_win = against.is_empty();
    let reasons = if may_win { vec![Reason::Passes { checks: passes }] } else { against };
    AttemptRow {
        attempt: facts.attempt.clone(),
        passes: may_win,
        passed: passes,
        failed: fails,
        lines: lines(facts),
        files: facts.files,
        dollars: facts.dollars,
        milliseconds: facts.milliseconds,
        reasons,
    }
}

fn lines(facts: &AttemptFacts) -> u64 {
    facts.added.saturating_add(facts.removed)
}

/// What proves something, in the order in which it counts. Less is better.
fn proof(facts: &AttemptFacts) -> [(usize, Reason); 4] {
    let passed = with_status(facts, &["passed"]).len();
    [
        (usize::MAX - passed, Reason::MoreChecksPass),
        (usize::from(facts.claim != Claim::Done), Reason::SaysDone),
        (facts.findings.len(), Reason::FewerFindings),
        (facts.outside.len(), Reason::StaysInCard),
    ]
}

fn by_proof(one: &AttemptFacts, other: &AttemptFacts) -> Ordering {
    let values = |facts| proof(facts).map(|(value, _)| value);
    values(one).cmp(&values(other))
}

/// Between equals: the smaller, the cheaper, the faster one. A cost that nobody knows is not free.
fn better(one: &AttemptFacts, other: &AttemptFacts) -> Ordering {
    let dollars = |facts: &AttemptFacts| facts.dollars.unwrap_or(f64::INFINITY);
    by_proof(one, other)
        .then_with(|| lines(one).cmp(&lines(other)))
        .then_with(|| dollars(one).total_cmp(&dollars(other)))
        .then_with(|| one.milliseconds.cmp(&other.milliseconds))
}

/// Why the best is before the next one.
fn why(best: &AttemptFacts, next: &AttemptFacts) -> Reason {
    for ((one, reason), (other, _)) in proof(best).into_iter().zip(proof(next)) {
        if one != other {
            return reason;
        }
    }
    if best.tree.is_some() && best.tree == next.tree {
        return Reason::EqualResult;
    }
    let (own, other) = (lines(best), lines(next));
    if own != other {
        return Reason::EqualSmaller { lines: own, other };
    }
    let dollars = |facts: &AttemptFacts| facts.dollars.unwrap_or(f64::INFINITY);
    if dollars(best).total_cmp(&dollars(next)) != Ordering::Equal {
        return Reason::EqualCheaper;
    }
    Reason::EqualFaster
}

impl AttemptFacts {
    /// What is written down about an attempt. `named`: the files that the card names; none: it names none. Checks that were run on other
    /// files than the attempt left behind do not count.
    pub fn of(attempt: &Attempt, named: &[String]) -> Self {
        let claim = match ::gates::completion(&attempt.text, &[]) {
            Some(_) => Claim::Done,
            None if ::gates::tells_a_failure(&attempt.text) => Claim::Unfinished,
            None => Claim::Nothing,
        };
        let outside = attempt.files.iter().map(|file| file.path.clone());
        Self {
            attempt: attempt.id.clone(),
            ended: attempt.ended.clone().unwrap_or_else(|| "running".to_owned()),
            claim,
            checks: if attempt.is_proven() { attempt.checks.clone() } else { Vec::new() },
            weakened: attempt.weakened.clone(),
            findings: attempt.findings.iter().map(|text| Finding::read(text)).collect(),
            files: attempt.files.len(),
            added: attempt.files.iter().map(|file| file.added).sum(),
            removed: attempt.files.iter().map(|file| file.removed).sum(),
            outside: outside.filter(|path| !named.is_empty() && !named.contains(path)).collect(),
            dollars: attempt.dollars,
            tokens: attempt.tokens.map(|tokens| tokens.prompt().saturating_add(tokens.output)),
            milliseconds: attempt.milliseconds,
            tree: attempt.tree.clone(),
        }
    }
}

impl Finding {
    /// As the log has it: `stop RULE PLACE` or `prepare RULE PLACE`.
    pub fn read(text: &str) -> Self {
        match text.split_once(' ') {
            Some(("stop", rest)) => Self { code: rest.to_owned(), stop: true },
            Some(("prepare", rest)) => Self { code: rest.to_owned(), stop: false },
            _ => Self { code: text.to_owned(), stop: false },
        }
    }

    /// The same, to be written down.
    pub fn to_text(&self) -> String {
        format!("{} {}", if self.stop { "stop" } else { "prepare" }, self.code)
    }
}
