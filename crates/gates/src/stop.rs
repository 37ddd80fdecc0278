//! May the turn end here? A claim held against what is known. (HK8)

use serde::{Deserialize, Serialize};

use crate::{CheckStanding, Completion, TaskItem, TaskState};

/// A gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopGate {
    /// What was agreed on has evidence.
    Acceptance,
    /// The newest check of what is there now passed.
    Tests,
    /// Nothing fails that did not fail before the work.
    Regressions,
    /// Nothing is open in the agent's own list.
    Tasks,
    /// The work was looked through as a whole after the last change.
    Review,
}

impl StopGate {
    /// As `stop.gates` writes it.
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "acceptance" => Some(Self::Acceptance),
            "tests" => Some(Self::Tests),
            "regressions" => Some(Self::Regressions),
            "tasks" => Some(Self::Tasks),
            "review" => Some(Self::Review),
            _ => None,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Acceptance => "acceptance",
            Self::Tests => "tests",
            Self::Regressions => "regressions",
            Self::Tasks => "tasks",
            Self::Review => "review",
        }
    }
}

/// How strict the gates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopMode {
    /// Nothing is looked at.
    Off,
    /// The person is told.
    #[default]
    Warn,
    /// The agent has to go on.
    Block,
}

/// What is known of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownCheck {
    /// The command.
    pub command: String,
    /// How it ended last; none: nobody knows.
    pub passed: Option<bool>,
    /// Files were changed after it.
    pub stale: bool,
    /// It failed in the same places before the session changed anything.
    pub old: bool,
    /// Vib ran it itself on what is there now, and this is what it found.
    pub standing: Option<CheckStanding>,
    /// The lines that name what failed.
    pub failures: Vec<String>,
    /// It runs tests, and is no build, linter or type check.
    pub tests: bool,
    /// Vib ran the same check, and this is what it found.
    pub own: Option<OwnRun>,
}

/// What vib found when it ran a check that the agent had run too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRun {
    /// How it stands.
    pub standing: CheckStanding,
    /// Everything that failed for the agent failed before the work as well.
    pub explains: bool,
}

impl KnownCheck {
    /// The agent saw it fail, and nothing that is known takes that back.
    fn is_red(&self, no_excuse: bool) -> bool {
        if self.standing.is_some() || self.passed != Some(false) {
            return false;
        }
        match &self.own {
            // It was repaired, and not run again by the agent. Failing and passing on the same files is no pass.
            Some(own) if own.standing == CheckStanding::Passes => !self.stale,
            Some(own) if own.standing == CheckStanding::OldFailure && own.explains => no_excuse,
            _ => !self.old || no_excuse,
        }
    }

    /// Vib ran it and it fails; what failed before the work too is excused, unless somebody says that it passes.
    fn is_own_red(&self, no_excuse: bool) -> bool {
        self.standing
            .is_some_and(|standing| standing.is_bad() || (no_excuse && standing == CheckStanding::OldFailure))
    }

    /// It was run, and nobody knows how it ended.
    fn is_unknown(&self) -> bool {
        self.passed.is_none() && self.standing.is_none()
    }

    /// Vib ran it, and that gave an answer. A check that hangs, does not start or answers now so, now so has given none.
    fn is_answered(&self) -> bool {
        self.standing
            .is_some_and(|standing| !matches!(standing, CheckStanding::NoAnswer | CheckStanding::Flaky))
    }
}

/// What is known when a turn ends.
#[derive(Debug, Clone, Default)]
pub struct StopFacts {
    /// What the last message claims.
    pub completion: Option<Completion>,
    /// It says that the checks pass.
    pub says_checks_pass: bool,
    /// It says so of tests.
    pub says_tests_pass: bool,
    /// The person asked for a failing check to be repaired, or the message says that it was.
    pub is_repair: bool,
    /// It says itself that a check fails.
    pub tells_failure: bool,
    /// The turn changed files that checks are about.
    pub changed: bool,
    /// The checks of which anything is known.
    pub checks: Vec<KnownCheck>,
    /// A check that the project has, in case none was run.
    pub has_check: Option<String>,
    /// Packages that the turn changed and that no check reached that passed.
    pub not_reached: Vec<String>,
    /// The agent's own list, if it was written in this turn.
    pub tasks: Vec<TaskItem>,
    /// What was agreed on, and the check that it names has not shown it.
    pub not_accepted: Vec<String>,
    /// What was agreed on, and only a person can say that it is so.
    pub not_ticked: Vec<String>,
    /// What is there now was looked through as a whole.
    pub reviewed: bool,
    /// What the one who looked through it has against it.
    pub review_objects: Option<String>,
    /// The gates that count.
    pub gates: Vec<StopGate>,
    /// How strict they are.
    pub mode: StopMode,
    /// The person said that it is fine.
    pub overridden: bool,
    /// How often the agent had to go on in this turn.
    pub blocks: u64,
    /// How often it may.
    pub most_blocks: u64,
}

/// Why a gate is not passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Open {
    /// The check failed when it was run last.
    CheckFailed {
        /// The check.
        command: String,
        /// What failed.
        failures: Vec<String>,
    },
    /// It passed, and files were changed after that.
    CheckStale {
        /// The check.
        command: String,
    },
    /// It was run after the change, and how it ended is not known.
    CheckUnknown {
        /// The check.
        command: String,
    },
    /// None was run.
    NotChecked {
        /// The one that the project has.
        command: String,
    },
    /// It passed, and it is the check of another package than the one that was changed.
    PartOnly {
        /// The check.
        command: String,
        /// The packages that it did not reach.
        places: Vec<String>,
    },
    /// It fails now and did not before.
    Regressed {
        /// The check.
        command: String,
        /// What fails now.
        failures: Vec<String>,
    },
    /// Items of the agent's own list.
    TasksOpen {
        /// Which.
        items: Vec<String>,
    },
    /// Agreed on, and the check that it names has not shown it.
    NotAccepted {
        /// What.
        items: Vec<String>,
    },
    /// Agreed on, and the person has not said that it is so.
    NotTicked {
        /// What.
        items: Vec<String>,
    },
    /// Nobody looked through the work after the last change.
    NotReviewed,
    /// Who looked through it objects.
    ReviewObjects {
        /// In its words.
        note: String,
    },
}

/// What a gate found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateFinding {
    /// The gate.
    pub gate: StopGate,
    /// What is open; none: it is passed.
    #[serde(flatten)]
    pub open: Option<Open>,
}

/// What becomes of the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopAnswer {
    /// Nothing to say.
    Pass,
    /// The person is told what is open.
    Warn,
    /// The agent has to go on.
    Block,
    /// It had to go on as often as it may: it ends, and the person is told what is open.
    Release,
    /// The person said that it is fine as it is.
    Overridden,
}

/// Decides. The findings of every gate that applies come with it.
pub fn decide(facts: &StopFacts) -> (StopAnswer, Vec<GateFinding>) {
    if facts.mode == StopMode::Off || facts.completion.is_none() || !facts.changed {
        return (StopAnswer::Pass, Vec::new());
    }
    let findings: Vec<GateFinding> = facts.gates.iter().flat_map(|gate| look(*gate, facts)).collect();
    let is_open = |finding: &GateFinding| match &finding.open {
        None => false,
        // That nothing was run is worth a word where somebody claims that it passed; else only where the person wants to be strict.
        Some(
            Open::NotChecked { .. }
            | Open::CheckStale { .. }
            | Open::CheckUnknown { .. }
            | Open::PartOnly { .. },
        ) => facts.mode == StopMode::Block || facts.says_checks_pass,
        Some(_) => true,
    };
    if !findings.iter().any(is_open) {
        return (StopAnswer::Pass, findings);
    }
    // What only a person can tick is no reason to let the agent go on: it could do nothing about it.
    // Nor is a failure that the agent itself tells of: it hides nothing, and the person has read it.
    let is_for_agent = |finding: &GateFinding| {
        is_open(finding)
            && match finding.open {
                Some(Open::NotTicked { .. }) => false,
                Some(Open::CheckFailed { .. } | Open::Regressed { .. }) => !facts.tells_failure,
                _ => true,
            }
    };
    let answer = match facts.mode {
        _ if facts.overridden => StopAnswer::Overridden,
        StopMode::Block if !findings.iter().any(is_for_agent) => StopAnswer::Warn,
        StopMode::Block if facts.blocks < facts.most_blocks => StopAnswer::Block,
        StopMode::Block => StopAnswer::Release,
        _ => StopAnswer::Warn,
    };
    (answer, findings.into_iter().filter(is_open).collect())
}

/// What a gate found; nothing: it does not apply.
fn look(gate: StopGate, facts: &StopFacts) -> Vec<GateFinding> {
    let found = |open: Option<Open>| vec![GateFinding { gate, open }];
    match gate {
        StopGate::Tests => tests(facts).map(found).unwrap_or_default(),
        StopGate::Regressions => {
            let known: Vec<&KnownCheck> =
                facts.checks.iter().filter(|check| check.standing.is_some()).collect();
            if known.is_empty() {
                return Vec::new();
            }
            let bad = known.into_iter().find(|check| check.standing == Some(CheckStanding::Regression));
            found(bad.map(|check| Open::Regressed {
                command: check.command.clone(),
                failures: check.failures.clone(),
            }))
        }
        StopGate::Tasks => {
            if facts.tasks.is_empty() {
                return Vec::new();
            }
            let open = facts.tasks.iter().filter(|item| item.state == TaskState::Open);
            let items: Vec<String> = open.map(|item| item.text.clone()).collect();
            found((!items.is_empty()).then_some(Open::TasksOpen { items }))
        }
        StopGate::Acceptance => {
            let mut all = Vec::new();
            let items = facts.not_accepted.clone();
            all.extend((!items.is_empty()).then_some(Open::NotAccepted { items }));
            let items = facts.not_ticked.clone();
            all.extend((!items.is_empty()).then_some(Open::NotTicked { items }));
            if all.is_empty() {
                return found(None);
            }
            all.into_iter().map(|open| GateFinding { gate, open: Some(open) }).collect()
        }
        StopGate::Review => {
            let note = facts.review_objects.clone();
            let objects = note.map(|note| Open::ReviewObjects { note });
            found((!facts.reviewed).then_some(Open::NotReviewed).or(objects))
        }
    }
}

/// None: the project has no check, so the gate does not apply.
fn tests(facts: &StopFacts) -> Option<Option<Open>> {
    // That it failed before excuses "done", never "the tests pass", and never a request to repair just that.
    // Who says that tests pass says nothing about a linter.
    let no_excuse = |check: &KnownCheck| {
        let says_so = facts.says_checks_pass && (check.tests || !facts.says_tests_pass);
        (says_so || facts.is_repair) && !facts.tells_failure
    };
    // What passes in the tree, and fails in the copy now and before, cannot be run in the copy.
    let only_in_copy = facts.checks.iter().any(|check| {
        let fails_there = |own: &OwnRun| own.standing == CheckStanding::OldFailure;
        check.passed == Some(true) && !check.stale && check.own.as_ref().is_some_and(fails_there)
    });
    let fails = |check: &&KnownCheck| {
        let no_excuse = no_excuse(check);
        check.is_own_red(no_excuse && !only_in_copy) || check.is_red(no_excuse)
    };
    // What vib ran itself on what is there now is told first.
    let own_first = facts.checks.iter().filter(|check| check.standing.is_some());
    let seen = facts.checks.iter().filter(|check| check.standing.is_none());
    if let Some(failed) = own_first.chain(seen).find(fails) {
        let (command, failures) = (failed.command.clone(), failed.failures.clone());
        return Some(Some(Open::CheckFailed { command, failures }));
    }
    // Types that hold and a build that works say nothing about tests.
    let counts = |check: &&KnownCheck| !facts.says_tests_pass || check.tests;
    if facts.checks.iter().filter(counts).any(KnownCheck::is_answered) {
        return Some(None);
    }
    let green = || facts.checks.iter().filter(counts).filter(|check| check.passed == Some(true));
    let mut unknown = facts.checks.iter().filter(counts).filter(|check| check.is_unknown() && !check.stale);
    if let Some(check) = green().next() {
        let fresh = green().any(|check| !check.stale);
        let again = unknown.next().map(|check| Open::CheckUnknown { command: check.command.clone() });
        let stale = || again.unwrap_or_else(|| Open::CheckStale { command: check.command.clone() });
        if fresh && !facts.not_reached.is_empty() {
            let command = green().find(|check| !check.stale).unwrap_or(check).command.clone();
            return Some(Some(Open::PartOnly { command, places: facts.not_reached.clone() }));
        }
        return Some((!fresh).then(stale));
    }
    if let Some(check) = unknown.next() {
        return Some(Some(Open::CheckUnknown { command: check.command.clone() }));
    }
    // It was run, and fails as it did before the work.
    if facts.checks.iter().filter(counts).any(|check| check.passed == Some(false)) {
        return Some(None);
    }
    facts.has_check.clone().map(|command| Some(Open::NotChecked { command }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(passed: bool, stale: bool) -> KnownCheck {
        KnownCheck {
            command: "npm test".to_owned(),
            passed: Some(passed),
            stale,
            old: false,
            standing: None,
            failures: vec!["not ok - cart".to_owned()],
            tests: true,
            own: None,
        }
    }

    fn with_own(check: KnownCheck, standing: CheckStanding, explains: bool) -> Vec<KnownCheck> {
        let ran = KnownCheck { passed: None, standing: Some(standing), ..check.clone() };
        vec![KnownCheck { own: Some(OwnRun { standing, explains }), ..check }, ran]
    }

    #[test]
    fn an_old_failure_excuses_done_and_never_that_the_tests_pass_b1() {
        let old = || vec![KnownCheck { old: true, ..check(false, false) }];
        let seen = |facts: StopFacts| decide(&StopFacts { checks: old(), ..facts }).0;
        assert_eq!(seen(facts()), StopAnswer::Pass);
        assert_eq!(seen(StopFacts { says_checks_pass: true, ..facts() }), StopAnswer::Block);
        assert_eq!(seen(StopFacts { is_repair: true, ..facts() }), StopAnswer::Block);
        let lint = KnownCheck { old: true, tests: false, ..check(false, false) };
        let of_tests = StopFacts {
            checks: vec![lint, check(true, false)],
            says_checks_pass: true,
            says_tests_pass: true,
            ..facts()
        };
        assert_eq!(decide(&of_tests).0, StopAnswer::Pass);
        assert_eq!(seen(StopFacts { is_repair: true, tells_failure: true, ..facts() }), StopAnswer::Pass);
        let own = || with_own(check(false, false), CheckStanding::OldFailure, true);
        assert_eq!(decide(&StopFacts { checks: own(), ..facts() }).0, StopAnswer::Pass);
        let lie = StopFacts { checks: own(), says_checks_pass: true, ..facts() };
        assert_eq!(decide(&lie).0, StopAnswer::Block);
    }

    #[test]
    fn a_run_by_vib_never_makes_the_gate_weaker_m1() {
        let answer = |checks: Vec<KnownCheck>| decide(&StopFacts { checks, ..facts() }).0;
        // The copy fails elsewhere, does not answer, answers now so, now so, or passes on the same files.
        assert_eq!(
            answer(with_own(check(false, false), CheckStanding::OldFailure, false)),
            StopAnswer::Block
        );
        assert_eq!(answer(with_own(check(false, true), CheckStanding::NoAnswer, false)), StopAnswer::Block);
        assert_eq!(answer(with_own(check(false, true), CheckStanding::Flaky, false)), StopAnswer::Block);
        assert_eq!(answer(with_own(check(false, false), CheckStanding::Passes, false)), StopAnswer::Block);
        // It was repaired, and vib ran it.
        assert_eq!(answer(with_own(check(false, true), CheckStanding::Passes, false)), StopAnswer::Pass);
        // It passes in the tree and never did in the copy: it cannot be run there.
        let lost = StopFacts {
            checks: with_own(check(true, false), CheckStanding::OldFailure, false),
            says_checks_pass: true,
            ..facts()
        };
        assert_eq!(decide(&lost).0, StopAnswer::Pass);
        // A run that gave no answer is none.
        let hangs =
            KnownCheck { passed: None, standing: Some(CheckStanding::NoAnswer), ..check(true, false) };
        let has_check = Some("npm test".to_owned());
        assert_eq!(decide(&StopFacts { checks: vec![hangs], has_check, ..facts() }).0, StopAnswer::Block);
    }

    #[test]
    fn types_that_hold_are_no_tests_that_pass_m3() {
        let types = || vec![KnownCheck { tests: false, ..check(true, false) }];
        let has_check = || Some("npm test".to_owned());
        assert_eq!(
            decide(&StopFacts { checks: types(), has_check: has_check(), ..facts() }).0,
            StopAnswer::Pass
        );
        let claims = StopFacts {
            checks: types(),
            has_check: has_check(),
            says_checks_pass: true,
            says_tests_pass: true,
            mode: StopMode::Warn,
            ..facts()
        };
        assert_eq!(decide(&claims).0, StopAnswer::Warn);
    }

    #[test]
    fn a_check_of_another_package_is_no_check_of_this_one_hk8() {
        let part = || StopFacts {
            checks: vec![check(true, false)],
            not_reached: vec!["packages/a".to_owned()],
            ..facts()
        };
        assert_eq!(decide(&part()).0, StopAnswer::Block);
        let warn = |says_checks_pass| StopFacts { mode: StopMode::Warn, says_checks_pass, ..part() };
        assert_eq!(decide(&warn(true)).0, StopAnswer::Warn);
        assert_eq!(decide(&warn(false)).0, StopAnswer::Pass);
    }

    #[test]
    fn who_tells_that_a_check_fails_is_not_held_m5() {
        let told = StopFacts { checks: vec![check(false, false)], tells_failure: true, ..facts() };
        assert_eq!(decide(&told).0, StopAnswer::Warn);
    }

    fn facts() -> StopFacts {
        StopFacts {
            completion: Some(Completion::Words),
            changed: true,
            gates: vec![StopGate::Tests, StopGate::Tasks],
            mode: StopMode::Block,
            most_blocks: 2,
            ..StopFacts::default()
        }
    }

    #[test]
    fn a_claim_after_a_failing_check_is_stopped_twice_and_then_let_go_hk8() {
        let mut facts = StopFacts { checks: vec![check(false, false)], ..facts() };
        let answers: Vec<StopAnswer> = (0..4)
            .map(|blocks| {
                facts.blocks = blocks;
                decide(&facts).0
            })
            .collect();
        assert_eq!(answers, [StopAnswer::Block, StopAnswer::Block, StopAnswer::Release, StopAnswer::Release]);
        facts.overridden = true;
        assert_eq!(decide(&facts).0, StopAnswer::Overridden);
        facts.completion = None;
        assert_eq!(decide(&facts).0, StopAnswer::Pass);
    }

    #[test]
    fn a_turn_that_changed_nothing_is_never_stopped_hk8() {
        let facts = StopFacts { changed: false, checks: vec![check(false, false)], ..facts() };
        assert_eq!(decide(&facts), (StopAnswer::Pass, Vec::new()));
    }

    #[test]
    fn what_vib_ran_itself_beats_what_was_seen_hk8() {
        let old = with_own(check(false, false), CheckStanding::OldFailure, true);
        assert_eq!(decide(&StopFacts { checks: old, ..facts() }).0, StopAnswer::Pass);
        let worse = KnownCheck { standing: Some(CheckStanding::Regression), ..check(false, false) };
        assert_eq!(decide(&StopFacts { checks: vec![worse], ..facts() }).0, StopAnswer::Block);
    }

    #[test]
    fn in_warn_mode_only_what_is_known_to_be_wrong_is_said_hk8() {
        let warn = || StopFacts { mode: StopMode::Warn, ..facts() };
        let stale = || vec![check(true, true)];
        assert_eq!(decide(&StopFacts { checks: stale(), ..warn() }).0, StopAnswer::Pass);
        assert_eq!(
            decide(&StopFacts { checks: stale(), says_checks_pass: true, ..warn() }).0,
            StopAnswer::Warn
        );
        assert_eq!(decide(&StopFacts { checks: vec![check(false, false)], ..warn() }).0, StopAnswer::Warn);
        assert_eq!(
            decide(&StopFacts { has_check: Some("make test".to_owned()), ..facts() }).0,
            StopAnswer::Block
        );
        assert_eq!(decide(&facts()).0, StopAnswer::Pass);
    }

    #[test]
    fn a_check_that_failed_the_same_way_before_the_work_is_no_reason_hk8() {
        let old = KnownCheck { old: true, ..check(false, false) };
        assert_eq!(decide(&StopFacts { checks: vec![old.clone()], ..facts() }).0, StopAnswer::Pass);
        let both = vec![old, KnownCheck { command: "npm run lint".to_owned(), ..check(false, false) }];
        assert_eq!(decide(&StopFacts { checks: both, ..facts() }).0, StopAnswer::Block);
    }

    #[test]
    fn what_only_a_person_can_tick_is_told_and_stops_nobody_hk8() {
        let items = || vec!["the page looks right on a phone".to_owned()];
        let agreed = || StopFacts { gates: vec![StopGate::Acceptance], ..facts() };
        assert_eq!(decide(&agreed()).0, StopAnswer::Pass);
        let (answer, found) = decide(&StopFacts { not_ticked: items(), ..agreed() });
        assert_eq!((answer, found.len()), (StopAnswer::Warn, 1));
        let (answer, found) = decide(&StopFacts { not_accepted: items(), not_ticked: items(), ..agreed() });
        assert_eq!((answer, found.len()), (StopAnswer::Block, 2));
    }

    #[test]
    fn who_reviewed_the_work_may_object_hk8() {
        let review = || StopFacts { gates: vec![StopGate::Review], ..facts() };
        assert_eq!(decide(&review()).0, StopAnswer::Block);
        assert_eq!(decide(&StopFacts { reviewed: true, ..review() }).0, StopAnswer::Pass);
        let objects = Some("the lock is taken twice".to_owned());
        assert_eq!(
            decide(&StopFacts { reviewed: true, review_objects: objects, ..review() }).0,
            StopAnswer::Block
        );
    }
}
