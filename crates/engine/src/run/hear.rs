//! What each event changes in a run. Events of cards and attempts that nobody planned make them: nothing that was written down is hidden.

use super::fold::{
    Attempt, Card, CardCommit, CommandEvidence, Evidence, KeptDiff, OpenAction, Pause, RejectedAction, Run,
    RunBranch, Spent, Switch,
};
use super::model::{By, CardStatus, Logged, PlannedCard, RunEvent};

impl Run {
    /// One event more.
    pub(super) fn hear(&mut self, logged: &Logged) {
        let at_ms = logged.at_ms;
        if self.last_ms == 0 {
            self.began_ms = at_ms;
        }
        self.last_ms = self.last_ms.max(at_ms);
        match &logged.event {
            RunEvent::Started { task, from, by, attempts, limits } => {
                self.task.clone_from(task);
                self.from.clone_from(from);
                self.by.clone_from(by);
                (self.attempts, self.limits) = (*attempts, *limits);
            }
            RunEvent::Planned { cards } => self.plan(cards),
            RunEvent::Budget { of, used } => {
                self.budgets.insert(of.clone(), *used);
            }
            RunEvent::Paused { card, code, why, options } => {
                self.paused = Some(Pause {
                    card: card.clone(),
                    code: code.clone(),
                    why: why.clone(),
                    options: options.clone(),
                    since_ms: at_ms,
                });
            }
            RunEvent::Resumed { .. } => (self.paused, self.ended) = (None, None),
            RunEvent::Ended { why } => self.ended = Some(why.clone()),
            RunEvent::Branched { branch, tip, left_out } => {
                self.branch =
                    Some(RunBranch { name: branch.clone(), tip: tip.clone(), left_out: left_out.clone() });
            }
            RunEvent::Committed { card, commit, at, why, left_out } => {
                if let (Some(branch), Some(commit)) = (&mut self.branch, commit) {
                    branch.tip = Some(commit.clone());
                }
                card_of(&mut self.cards, card).commits.push(CardCommit {
                    commit: commit.clone(),
                    at: at.clone(),
                    why: why.clone(),
                    left_out: left_out.clone(),
                });
            }
            RunEvent::ModelCalled { card, tokens, dollars, .. } => {
                let of_card = card.as_ref().map(|card| &mut card_of(&mut self.cards, card).evidence.spent);
                for spent in of_card.into_iter().chain([&mut self.spent]) {
                    spent.calls = spent.calls.saturating_add(1);
                    spent.add_tokens(*tokens);
                    spent.add_dollars(*dollars);
                }
            }
            RunEvent::Switched { card, from, to, why, lost } => {
                let switch =
                    Switch { from: from.clone(), to: to.clone(), why: why.clone(), lost: lost.clone() };
                match card {
                    Some(card) => card_of(&mut self.cards, card).evidence.switches.push(switch),
                    None => self.switches.push(switch),
                }
            }
            RunEvent::Adapted { card, what } => {
                if let Some(card) = card {
                    card_of(&mut self.cards, card).evidence.adapted.push(what.clone());
                }
            }
            RunEvent::AttemptBegan { card, attempt, by, lane, before } => {
                // Somebody works again, whatever was said about an end.
                self.ended = None;
                let card = card_of(&mut self.cards, card);
                stands(card, CardStatus::Running, None, None);
                card.evidence.began_ms.get_or_insert(at_ms);
                let attempt = attempt_of(card, attempt);
                *attempt = Attempt {
                    id: attempt.id.clone(),
                    by: Some(by.clone()),
                    lane: lane.clone(),
                    before: Some(before.clone()),
                    began_ms: at_ms,
                    ..Attempt::default()
                };
            }
            RunEvent::AttemptEnded { card, .. } => {
                let card = card_of(&mut self.cards, card);
                card.evidence.ended_ms = Some(at_ms);
                attempt_ends(card, &mut self.spent, &logged.event);
            }
            _ => self.of_card(&logged.event),
        }
    }

    /// Events that change one card and nothing else.
    fn of_card(&mut self, event: &RunEvent) {
        let cards = &mut self.cards;
        match event {
            RunEvent::Status { card, status, code, why } => {
                let card = card_of(cards, card);
                let has_reason = [code, why].into_iter().flatten().any(|text| !text.trim().is_empty());
                // A card without changes, commands or a reason cannot become done.
                if *status != CardStatus::Done || has_reason || card.has_evidence() || card.landed.is_some() {
                    stands(card, *status, code.clone(), why.clone());
                }
            }
            RunEvent::ActionBegan { card, n, role, name, .. } => {
                let evidence = &mut card_of(cards, card).evidence;
                *evidence.calls.entry(name.clone()).or_default() += 1;
                evidence.unfinished.push(OpenAction { n: *n, role: role.clone(), name: name.clone() });
            }
            RunEvent::ActionEnded { card, n, .. } => {
                card_of(cards, card).evidence.unfinished.retain(|action| action.n != *n);
            }
            RunEvent::Rejected { card, n, code, message } => {
                let evidence = &mut card_of(cards, card).evidence;
                evidence.unfinished.retain(|action| action.n != *n);
                evidence.rejected.push(RejectedAction {
                    n: *n,
                    code: code.clone(),
                    message: message.clone(),
                });
            }
            RunEvent::Patched { card, n, files, diff, safety } => {
                let card = card_of(cards, card);
                // Whoever works on the card now: the last one who began and has not ended.
                let open = card.attempts.iter().rev().find(|attempt| attempt.ended.is_none());
                card.evidence.diffs.push(KeptDiff {
                    n: *n,
                    attempt: open.map(|attempt| attempt.id.clone()),
                    files: files.clone(),
                    diff: diff.clone(),
                    safety: safety.clone(),
                });
            }
            RunEvent::CommandRan { card, n, command, exit, milliseconds, tail } => {
                card_of(cards, card).evidence.commands.push(CommandEvidence {
                    n: *n,
                    command: command.clone(),
                    exit: *exit,
                    milliseconds: *milliseconds,
                    tail: tail.clone(),
                });
            }
            RunEvent::Checked { card, attempt, tree, checks, findings, weakened } => {
                let attempt = attempt_of(card_of(cards, card), attempt);
                attempt.checked_tree = Some(tree.clone());
                attempt.checks.clone_from(checks);
                attempt.findings.clone_from(findings);
                attempt.weakened.clone_from(weakened);
            }
            RunEvent::Meta { card, risk, note, assumptions } => {
                let card = card_of(cards, card);
                card.risk = Some(*risk);
                card.note = Some(note.clone()).filter(|note| !note.is_empty());
                card.assumptions.clone_from(assumptions);
            }
            RunEvent::Compared { card, recommended, reasons, told } => {
                let card = card_of(cards, card);
                card.recommended.clone_from(recommended);
                card.reasons.clone_from(reasons);
                card.comparison.clone_from(told);
            }
            RunEvent::Landed { card, attempt, step } => {
                let card = card_of(cards, card);
                (card.landed, card.landed_step) = (Some(attempt.clone()), *step);
                stands(card, CardStatus::Done, None, None);
            }
            RunEvent::Reverted { card, .. } => {
                let card = card_of(cards, card);
                (card.landed, card.landed_step) = (None, None);
                stands(card, CardStatus::Reverted, None, None);
            }
            RunEvent::Dropped { card, attempt } => {
                let card = card_of(cards, card);
                attempt_of(card, attempt).dropped = true;
                let is_over = matches!(card.status, CardStatus::Done | CardStatus::Reverted);
                if !is_over && card.attempts.iter().all(|attempt| attempt.dropped) {
                    stands(card, CardStatus::Dropped, None, None);
                }
            }
            _ => {}
        }
    }

    /// A later plan replaces the cards that are still to do.
    fn plan(&mut self, planned: &[PlannedCard]) {
        self.cards.retain(|card| card.status != CardStatus::Todo || !card.attempts.is_empty());
        for card in planned {
            let known = card_of(&mut self.cards, &card.id);
            // One that somebody worked on keeps what was asked for then.
            if known.title.is_empty() {
                known.title.clone_from(&card.title);
                known.acceptance.clone_from(&card.acceptance);
                known.steps.clone_from(&card.steps);
            }
        }
    }
}

fn attempt_ends(card: &mut Card, of_run: &mut Spent, event: &RunEvent) {
    let RunEvent::AttemptEnded {
        attempt,
        ended,
        text,
        after,
        tree,
        files,
        tokens,
        dollars,
        milliseconds,
        ..
    } = event
    else {
        return;
    };
    let one = attempt_of(card, attempt);
    one.ended = Some(ended.clone());
    one.text.clone_from(text);
    one.after = Some(after.clone());
    one.tree = Some(tree.clone());
    one.files.clone_from(files);
    (one.tokens, one.dollars, one.milliseconds) = (*tokens, *dollars, *milliseconds);
    let is_told_only_here = matches!(one.by, Some(By::Client { .. }));
    for spent in [&mut card.evidence.spent, of_run] {
        spent.milliseconds = spent.milliseconds.saturating_add(*milliseconds);
        if is_told_only_here {
            spent.add_tokens(tokens.unwrap_or_default());
            spent.add_dollars(*dollars);
        }
    }
}

fn stands(card: &mut Card, status: CardStatus, code: Option<String>, why: Option<String>) {
    (card.status, card.code, card.why) = (status, code, why);
}

fn card_of<'c>(cards: &'c mut Vec<Card>, id: &str) -> &'c mut Card {
    // `c7` is nearly always the seventh: a long run is not looked through for each of its events.
    let guess = id.strip_prefix('c').and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
    let guess = guess.filter(|at| cards.get(*at).is_some_and(|card| card.id == id));
    let at = guess.or_else(|| cards.iter().position(|card| card.id == id)).unwrap_or_else(|| {
        cards.push(new_card(id));
        cards.len() - 1
    });
    &mut cards[at]
}

fn attempt_of<'c>(card: &'c mut Card, id: &str) -> &'c mut Attempt {
    let at = card.attempts.iter().position(|attempt| attempt.id == id).unwrap_or_else(|| {
        card.attempts.push(Attempt { id: id.to_owned(), ..Attempt::default() });
        card.attempts.len() - 1
    });
    &mut card.attempts[at]
}

fn new_card(id: &str) -> Card {
    Card {
        id: id.to_owned(),
        title: String::new(),
        acceptance: Vec::new(),
        steps: Vec::new(),
        status: CardStatus::Todo,
        code: None,
        why: None,
        attempts: Vec::new(),
        evidence: Evidence::default(),
        risk: None,
        note: None,
        assumptions: Vec::new(),
        recommended: None,
        reasons: Vec::new(),
        comparison: Vec::new(),
        landed: None,
        landed_step: None,
        undone: None,
        commits: Vec::new(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::super::model::{CardRisk, CheckEvidence, FileChange, Limits};
    use super::*;
    use crate::report::usage::Tokens;

    fn planned(id: &str, title: &str) -> PlannedCard {
        PlannedCard { id: id.to_owned(), title: title.to_owned(), acceptance: Vec::new(), steps: Vec::new() }
    }

    fn began(card: &str, attempt: &str, by: By) -> RunEvent {
        RunEvent::AttemptBegan {
            card: card.to_owned(),
            attempt: attempt.to_owned(),
            by,
            lane: "run1".to_owned(),
            before: "b".to_owned(),
        }
    }

    fn ended(card: &str, attempt: &str, tokens: Option<Tokens>, dollars: Option<f64>) -> RunEvent {
        RunEvent::AttemptEnded {
            card: card.to_owned(),
            attempt: attempt.to_owned(),
            ended: "done".to_owned(),
            text: String::new(),
            after: "a".to_owned(),
            tree: "t".to_owned(),
            files: vec![FileChange { path: "a.txt".to_owned(), added: 1, removed: 0 }],
            tokens,
            dollars,
            milliseconds: 5,
        }
    }

    fn status(card: &str, status: CardStatus, why: Option<&str>) -> RunEvent {
        RunEvent::Status { card: card.to_owned(), status, code: None, why: why.map(str::to_owned) }
    }

    fn vib() -> By {
        By::Vib { model: "x/y".to_owned() }
    }

    fn run(events: Vec<RunEvent>) -> Run {
        let logged: Vec<Logged> = events
            .into_iter()
            .enumerate()
            .map(|(at, event)| Logged { at_ms: at as i64 + 1, event })
            .collect();
        Run::of("run1", &logged)
    }

    #[test]
    fn ag2_a_card_without_changes_commands_or_a_reason_is_not_done() {
        let plan = RunEvent::Planned { cards: vec![planned("c1", "one")] };
        let bare = run(vec![plan.clone(), status("c1", CardStatus::Done, None)]);
        assert_eq!(bare.cards[0].status, CardStatus::Todo);
        let blank = run(vec![plan.clone(), status("c1", CardStatus::Done, Some("  "))]);
        assert_eq!(blank.cards[0].status, CardStatus::Todo);
        let reason = run(vec![plan.clone(), status("c1", CardStatus::Done, Some("is so already"))]);
        assert_eq!(reason.cards[0].status, CardStatus::Done);
        let worked = vec![
            plan,
            began("c1", "a1", vib()),
            ended("c1", "a1", None, None),
            status("c1", CardStatus::Done, None),
        ];
        assert_eq!(run(worked).cards[0].status, CardStatus::Done);
    }

    #[test]
    fn a_later_plan_replaces_what_is_still_to_do() {
        let out = run(vec![
            RunEvent::Planned {
                cards: vec![planned("c1", "one"), planned("c2", "two"), planned("c3", "three")],
            },
            began("c1", "a1", vib()),
            RunEvent::Planned {
                cards: vec![planned("c1", "other"), planned("c2", "second"), planned("c4", "four")],
            },
        ]);
        let cards: Vec<(&str, &str)> =
            out.cards.iter().map(|card| (card.id.as_str(), card.title.as_str())).collect();
        assert_eq!(cards, [("c1", "one"), ("c2", "second"), ("c4", "four")]);
    }

    #[test]
    fn tokens_count_once_whoever_tells_of_them() {
        let tokens = Tokens { input: 10, output: 2, ..Tokens::default() };
        let call = RunEvent::ModelCalled {
            card: Some("c1".to_owned()),
            role: "executor".to_owned(),
            provider: "x".to_owned(),
            model: "y".to_owned(),
            tokens,
            dollars: None,
            milliseconds: 3,
        };
        let own = run(vec![began("c1", "a1", vib()), call, ended("c1", "a1", Some(tokens), Some(9.0))]);
        assert_eq!((own.spent.tokens, own.spent.calls, own.spent.unpriced), (tokens, 1, 1));
        assert_eq!(own.spent, own.cards[0].evidence.spent);
        let client = By::Client { name: "codex".to_owned() };
        let driven = run(vec![began("c1", "a1", client), ended("c1", "a1", Some(tokens), Some(0.5))]);
        assert_eq!((driven.spent.tokens, driven.spent.dollars, driven.spent.calls), (tokens, 0.5, 0));
    }

    #[test]
    fn an_action_without_an_end_is_shown() {
        let action = |n| RunEvent::ActionBegan {
            card: "c1".to_owned(),
            n,
            role: "executor".to_owned(),
            name: "BASH".to_owned(),
            digest: "d".to_owned(),
        };
        let end = RunEvent::ActionEnded {
            card: "c1".to_owned(),
            n: 1,
            ok: true,
            code: None,
            milliseconds: 1,
            bytes: 1,
        };
        let out = run(vec![action(1), end, action(2)]);
        let evidence = &out.cards[0].evidence;
        assert_eq!(evidence.unfinished.iter().map(|open| open.n).collect::<Vec<_>>(), [2]);
        assert_eq!(evidence.calls["BASH"], 2);
    }

    #[test]
    fn checks_prove_only_the_files_they_were_run_on() {
        let checked = |tree: &str| RunEvent::Checked {
            card: "c1".to_owned(),
            attempt: "a1".to_owned(),
            tree: tree.to_owned(),
            checks: Vec::new(),
            findings: Vec::new(),
            weakened: Vec::new(),
        };
        let out = |tree| run(vec![began("c1", "a1", vib()), ended("c1", "a1", None, None), checked(tree)]);
        assert!(out("t").cards[0].attempts[0].is_proven());
        assert!(!out("other").cards[0].attempts[0].is_proven());
    }

    /// Any event, about a few cards and attempts, so that they meet each other.
    pub(in crate::run) fn any_event() -> impl Strategy<Value = RunEvent> {
        let some = (0_u8..25, 0_u8..4, 0_u8..3, any::<u64>(), "[ -~]{0,12}", any::<bool>());
        some.prop_map(|(kind, card, attempt, n, text, flag)| {
            let of_run = flag.then(|| format!("c{card}"));
            let (card, attempt) = (format!("c{card}"), format!("a{attempt}"));
            let files = vec![FileChange { path: text.clone(), added: n, removed: n }];
            let tokens = Tokens { input: n, output: n, cache_read: n, cache_write: n };
            let dollars = flag.then_some(0.25);
            let by = if flag { By::Client { name: text.clone() } } else { By::Vib { model: text.clone() } };
            let all = [
                CardStatus::Todo,
                CardStatus::Running,
                CardStatus::Preview,
                CardStatus::Review,
                CardStatus::Done,
                CardStatus::Blocked,
                CardStatus::Reverted,
                CardStatus::Dropped,
            ];
            let status = all[(n % 8) as usize];
            let words = vec![text.clone()];
            match kind {
                0 => RunEvent::Started {
                    task: text.clone(),
                    from: text,
                    by: vec![by],
                    attempts: 3,
                    limits: Limits::default(),
                },
                1 => RunEvent::Planned { cards: vec![planned(&card, &text), planned("c2", "x")] },
                2 => RunEvent::Status { card, status, code: None, why: flag.then_some(text) },
                3 => began(&card, &attempt, by),
                4 => RunEvent::AttemptEnded {
                    card,
                    attempt,
                    ended: "done".to_owned(),
                    text: text.clone(),
                    after: text.clone(),
                    tree: text,
                    files,
                    tokens: flag.then_some(tokens),
                    dollars,
                    milliseconds: n,
                },
                5 => RunEvent::ActionBegan {
                    card,
                    n: n % 3,
                    role: text.clone(),
                    name: text.clone(),
                    digest: text,
                },
                6 => {
                    RunEvent::ActionEnded { card, n: n % 3, ok: flag, code: None, milliseconds: n, bytes: n }
                }
                7 => RunEvent::Rejected { card, n: n % 3, code: text.clone(), message: text },
                8 => RunEvent::Patched { card, n, files, diff: text.clone(), safety: text },
                9 => RunEvent::CommandRan {
                    card,
                    n,
                    command: text.clone(),
                    exit: flag.then_some(1),
                    milliseconds: n,
                    tail: text,
                },
                10 => RunEvent::Checked {
                    card,
                    attempt,
                    tree: text.clone(),
                    checks: vec![CheckEvidence {
                        command: text.clone(),
                        status: "passed".to_owned(),
                        exit: Some(0),
                        milliseconds: n,
                        tail: String::new(),
                    }],
                    findings: words.clone(),
                    weakened: words,
                },
                11 => RunEvent::ModelCalled {
                    card: of_run,
                    role: text.clone(),
                    provider: text.clone(),
                    model: text,
                    tokens,
                    dollars,
                    milliseconds: n,
                },
                12 => RunEvent::Switched {
                    card: of_run,
                    from: text.clone(),
                    to: text.clone(),
                    why: text,
                    lost: words,
                },
                13 => RunEvent::Adapted { card: of_run, what: text },
                14 => RunEvent::Budget { of: text, used: 80 },
                15 => RunEvent::Meta { card, risk: CardRisk::Unknown, note: text, assumptions: words },
                16 => RunEvent::Paused { card: of_run, code: text.clone(), why: text, options: words },
                17 => RunEvent::Resumed { answer: flag.then_some(text) },
                18 => RunEvent::Compared {
                    card,
                    recommended: flag.then_some(attempt),
                    reasons: words,
                    told: Vec::new(),
                },
                19 => RunEvent::Landed { card, attempt, step: flag.then_some(n) },
                20 => RunEvent::Reverted { card, step: flag.then_some(n) },
                21 => RunEvent::Dropped { card, attempt },
                22 => RunEvent::Branched { branch: text.clone(), tip: flag.then_some(text), left_out: words },
                23 => RunEvent::Committed {
                    card,
                    commit: flag.then(|| text.clone()),
                    at: text.clone(),
                    why: (!flag).then_some(text),
                    left_out: words,
                },
                _ => RunEvent::Ended { why: text },
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        #[test]
        fn any_order_of_events_is_a_run(events in prop::collection::vec((any_event(), any::<i32>()), 0..60)) {
            let logged: Vec<Logged> = events
                .into_iter()
                .map(|(event, at)| Logged { at_ms: i64::from(at), event })
                .collect();
            let run = Run::of("run1", &logged);
            for card in &run.cards {
                let reason = [&card.code, &card.why].into_iter().flatten().any(|text| !text.trim().is_empty());
                prop_assert!(
                    card.status != CardStatus::Done || card.has_evidence() || reason || card.landed.is_some()
                );
                // Whatever counts is one of its attempts.
                let _ = card.chosen();
                let ids: std::collections::BTreeSet<_> = card.attempts.iter().map(|one| &one.id).collect();
                prop_assert_eq!(ids.len(), card.attempts.len());
            }
            let ids: std::collections::BTreeSet<_> = run.cards.iter().map(|card| &card.id).collect();
            prop_assert_eq!(ids.len(), run.cards.len());
            prop_assert!(serde_json::to_string(&run).is_ok());
            // What is written down is read as it was.
            for one in &logged {
                let line = serde_json::to_vec(one).unwrap();
                prop_assert_eq!(&serde_json::from_slice::<Logged>(&line).unwrap(), one);
            }
        }
    }
}
