//! Which of the steps that go on made a change that no edit announced? The strongest claim wins; see [`super::attribute`].

use super::attribute::{Found, LONG_MS, LookAt};
use super::claims::Fit;
use super::habit::says_it_was_made;
use super::settle::{Owner, Settled};
use super::step::{Ending, Outcome, StepNumber};
use super::told::Trade;
use super::usual::is_written_by_checks;
use super::write::Running;
use crate::entry::EntryKind;
use project::RelPath;

/// Nobody reads a question, writes in a file and answers in less.
const AT_ONCE_MS: i64 = 1_000;
/// By so much the time at which a command is said to have begun may be too late: its client has to start the hook first.
const LATE_MS: i64 = 500;
/// Clocks of file systems and clients are not that exact.
const SLACK_MS: i64 = 2_000;

/// How good a step's claim to a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    No,
    Weak,
    /// Such a command writes such files, if nobody is there who is more likely to.
    Usual,
    Possible,
    Named,
}

pub(super) struct Asking<'a> {
    pub(super) look: &'a LookAt<'a>,
    pub(super) settled: &'a Settled,
    pub(super) going_on: &'a [Running],
    /// So few changes that each can be asked about.
    pub(super) few: bool,
    /// So few that each can be asked when it was touched.
    pub(super) timed: bool,
    /// An agent's step was cut off since the last look at everything: what it did before nobody saw.
    pub(super) one_was_cut_off: bool,
    /// Whether such a command is known to make this file.
    pub(super) made_before: &'a dyn Fn(&Running, &Found) -> bool,
}

impl Asking<'_> {
    /// The steps that made a change, and whether it is sure that it was one of them.
    pub(super) fn owners_of(&self, change: &Found) -> (Vec<StepNumber>, bool) {
        let path = &change.name;
        // Vib writes what it says, under the lock of the tree, and nothing else.
        if let Some(vib) = self.going_on.iter().find(|one| one.is_vib && one.claims.fit(path) == Fit::Named) {
            return (vec![vib.number], true);
        }
        let mut unclear = match self.settled.owners.get(path) {
            Some(Owner::Proven(step)) => return (vec![*step], true),
            Some(Owner::Unclear(steps)) => steps.clone(),
            None => Vec::new(),
        };
        let claims: Vec<(StepNumber, Strength)> = self
            .going_on
            .iter()
            .map(|one| (one.number, self.strength(one, change)))
            .filter(|(_, strength)| *strength > Strength::No)
            .collect();
        let Some(best) = claims.iter().map(|(_, strength)| *strength).max() else {
            // A step may write what it did not announce: if it ends with this very look and is alone, nobody else was seen.
            let last = self.going_on.first().filter(|one| {
                self.going_on.len() == 1
                    && self.look.ending.is_some_and(|(step, _)| step == one.number)
                    && one.told.announces_nothing()
                    && one.claims.fit(path) == Fit::No
            });
            let sure = last.is_some() && unclear.is_empty();
            unclear.extend(last.map(|one| one.number));
            return (unclear, sure);
        };
        let best_ones: Vec<StepNumber> =
            claims.into_iter().filter(|(_, strength)| *strength == best).map(|(number, _)| number).collect();
        // Nobody said that one of these ended, and there is more in it than they tell: it may have been typed since. (B2)
        let ends = |number: &StepNumber| self.look.ending.is_some_and(|(step, _)| step == *number);
        let may_be_typed =
            best == Strength::Named && self.settled.typed_into.contains(path) && !best_ones.iter().any(ends);
        unclear.extend(best_ones);
        // Whoever was cut off meanwhile may have done it as well, unless a command that goes on names it.
        let may_be_of_another = self.one_was_cut_off && best < Strength::Named;
        (unclear, best > Strength::Weak && !may_be_typed && !may_be_of_another)
    }

    fn strength(&self, one: &Running, change: &Found) -> Strength {
        let path = &change.name;
        let ends = self.look.ending.filter(|(step, _)| *step == one.number).map(|(_, outcome)| outcome);
        // What it announced is settled; what a cut off edit did not announce was not its work; what was refused did nothing.
        let is_refused =
            ends.is_some_and(|outcome| matches!(outcome.ending, Ending::Refused | Ending::Stopped));
        if one.is_cut_off || is_refused || self.announced(one, change) {
            return Strength::No;
        }
        if self.is_older(one, change, ends) {
            return Strength::No;
        }
        let age = ends.and_then(|outcome| outcome.took_ms).unwrap_or(self.look.now - one.started_ms);
        let is_long = age > LONG_MS;
        // An edit makes the folders around its files, and nothing else in them.
        let is_edit = !one.told.edits.is_empty();
        match one.claims.fit(path) {
            Fit::No => Strength::No,
            Fit::Named if is_edit && !one.claims.has(path) => Strength::No,
            Fit::Named if ends.is_none() && is_long => Strength::Weak,
            Fit::Named | Fit::Possible if self.may_be_typed(one, change, ends) => Strength::Weak,
            Fit::Named => Strength::Named,
            Fit::Possible if one.told.names(path) => Strength::Named,
            Fit::Possible => self.possible(one, change, ends, is_long),
        }
    }

    /// It announced this very file, or a folder comes or goes of which it announced only a file.
    fn announced(&self, one: &Running, change: &Found) -> bool {
        let path = &change.name;
        one.told.edits.iter().any(|edit| {
            edit.path.as_bytes() == path.as_bytes()
                || RelPath::new(edit.path.as_bytes()).is_ok_and(|edited| edited.is_in(path))
        })
    }

    /// It was last touched before the command ran: its client waited for the person until then. (M1)
    fn is_older(&self, one: &Running, change: &Found, ends: Option<&Outcome>) -> bool {
        let Some(from) = ends.and_then(|outcome| outcome.ran_from_ms).filter(|_| self.timed) else {
            return false;
        };
        let touched = (self.look.touched)(&change.name);
        // It changed after the look before: a time before that is one of another clock, and says nothing.
        touched.is_some_and(|at| at < from - SLACK_MS && at >= one.started_ms - SLACK_MS)
    }

    /// It waited for the person, who may have written this meanwhile: touched right before it ran, or there is more in it than it tells (M1)
    fn may_be_typed(&self, one: &Running, change: &Found, ends: Option<&Outcome>) -> bool {
        let Some(outcome) = ends.filter(|outcome| has_waited(one, outcome, self.look.now)) else {
            return false;
        };
        let from = outcome.ran_from_ms.filter(|_| self.timed);
        let is_right_before = from.is_some_and(|from| {
            (self.look.touched)(&change.name).is_some_and(|at| at < from - LATE_MS && at >= from - SLACK_MS)
        });
        is_right_before || self.settled.typed_into.contains(&change.name)
    }

    fn possible(&self, one: &Running, change: &Found, ends: Option<&Outcome>, is_long: bool) -> Strength {
        let path = &change.name;
        let in_editor = self.few && (self.look.trace)(path).in_editor;
        // It waited for the person, and nobody tells how much of the time it ran.
        let is_told = ends.is_some_and(|outcome| outcome.ran_from_ms.is_some());
        let may_have_waited = one.told.waited && !is_told && self.look.now - one.started_ms > AT_ONCE_MS;
        let is_others_trade = match one.told.trade {
            Trade::Writes => false,
            Trade::Builds => change.was.is_some(),
            Trade::Reports => true,
        };
        let is_doubtful = is_long || is_others_trade || in_editor || may_have_waited;
        if !is_doubtful {
            return Strength::Possible;
        }
        let is_usual = is_written_by_checks(path)
            || self.few
                && !in_editor
                && ((self.made_before)(one, change) || self.says_it_was_made(one, change));
        if is_usual { Strength::Usual } else { Strength::Weak }
    }

    /// What a build or a check leaves may say itself that a program wrote it.
    fn says_it_was_made(&self, one: &Running, change: &Found) -> bool {
        let is_file = change.is.is_some_and(|entry| entry.kind == EntryKind::File);
        one.told.trade != Trade::Writes && is_file && says_it_was_made(&(self.look.head)(&change.name))
    }
}

/// Its client waited for the person before it let it run: it says so, or tells that it ran much later than it was announced. (M1)
pub(super) fn has_waited(one: &Running, outcome: &Outcome, now: i64) -> bool {
    match outcome.ran_from_ms {
        // What failed may have written nothing at all.
        _ if outcome.ending == Ending::Failed => true,
        Some(from) => from - one.started_ms > AT_ONCE_MS,
        None => one.told.waited && now - one.started_ms > AT_ONCE_MS,
    }
}

#[cfg(test)]
mod tests {
    use super::super::attribute::Trace;
    use super::super::told::Told;
    use super::*;
    use crate::ledger::Claims;

    fn path(text: &str) -> RelPath {
        RelPath::new(text.as_bytes()).unwrap()
    }

    fn going(number: i64, named: Option<&[&str]>) -> Running {
        let claims = named
            .map_or(Claims::Anywhere, |named| Claims::Named(named.iter().map(|one| path(one)).collect()));
        let told = Told::default();
        Running {
            number: StepNumber(number),
            claims,
            told,
            what: None,
            is_vib: false,
            is_cut_off: false,
            started_ms: 0,
        }
    }

    /// Owners, and whether they are sure.
    fn owners(name: &str, ending: Option<i64>, going_on: &[Running]) -> (Vec<i64>, bool) {
        at(name, ending, going_on, 1_000, Trace::default())
    }

    fn at(name: &str, ending: Option<i64>, going_on: &[Running], now: i64, trace: Trace) -> (Vec<i64>, bool) {
        with(name, ending.map(|step| (step, Outcome::of(Ending::Ran))).as_ref(), going_on, now, (trace, None))
    }

    fn with(
        name: &str,
        ending: Option<&(i64, Outcome)>,
        going_on: &[Running],
        now: i64,
        (trace, touched): (Trace, Option<i64>),
    ) -> (Vec<i64>, bool) {
        let look = LookAt {
            ending: ending.map(|(step, outcome)| (StepNumber(*step), outcome)),
            whole_tree: true,
            by_name: &[],
            now,
            trace: &|_| trace,
            touched: &|_| touched,
            head: &|_| Vec::new(),
            content: &|_| None,
        };
        let settled = Settled::default();
        let made_before = |_: &Running, _: &Found| false;
        let asking = Asking {
            look: &look,
            settled: &settled,
            going_on,
            few: true,
            one_was_cut_off: false,
            timed: true,
            made_before: &made_before,
        };
        let found = Found { path: 1, name: path(name), was: None, is: None };
        let (owners, sure) = asking.owners_of(&found);
        (owners.into_iter().map(|step| step.0).collect(), sure)
    }

    #[test]
    fn who_names_a_path_owns_it_before_who_may_write_anywhere() {
        let going_on = [going(1, None), going(2, Some(&["src/a.rs"]))];
        assert_eq!(owners("src/a.rs", Some(1), &going_on), (vec![2], true));
        assert_eq!(owners("src/b.rs", Some(1), &going_on), (vec![1], true));
        assert_eq!(owners("src/b.rs", Some(2), &going_on), (vec![1], true));
    }

    #[test]
    fn two_that_may_have_written_share_it() {
        let going_on = [going(1, None), going(2, None)];
        assert_eq!(owners("a", Some(1), &going_on), (vec![1, 2], true));
    }

    #[test]
    fn nobody_going_on_means_by_hand() {
        assert_eq!(owners("a", None, &[]), (vec![], false));
        assert_eq!(owners("a", None, &[going(1, Some(&["b"]))]), (vec![], false));
    }

    #[test]
    fn a_folder_that_came_with_a_named_file_is_its_makers() {
        let going_on = [going(1, Some(&["new/deep/a.rs"]))];
        assert_eq!(owners("new", Some(1), &going_on), (vec![1], true));
    }

    #[test]
    fn a_check_proves_nothing_about_files_that_are_not_its_trade_b4() {
        let told = Told { trade: Trade::Reports, named: vec!["log.txt".to_owned()], ..Told::default() };
        let check = || Running { told: told.clone(), ..going(1, None) };
        assert_eq!(owners("src/a.rs", Some(1), &[check()]), (vec![1], false));
        assert_eq!(owners("log.txt", Some(1), &[check()]), (vec![1], true));
        assert_eq!(owners("Cargo.lock", Some(1), &[check()]), (vec![1], true));
        assert_eq!(owners("tests/__snapshots__/a.snap", Some(1), &[check()]), (vec![1], true));
        // Another command that writes is the better answer.
        for path in ["src/a.rs", "gen/out.txt"] {
            assert_eq!(owners(path, Some(1), &[check(), going(2, None)]), (vec![2], true));
        }
    }

    #[test]
    fn what_speaks_for_a_person_makes_it_doubtful_b4() {
        let command = || [going(1, None)];
        assert_eq!(owners("a", Some(1), &command()), (vec![1], true));
        assert_eq!(at("a", Some(1), &command(), LONG_MS + 1, Trace::default()), (vec![1], false));
        let open = Trace { in_editor: true };
        assert_eq!(at("a", Some(1), &command(), 1_000, open), (vec![1], false));
    }

    #[test]
    fn what_was_touched_while_a_command_waited_for_the_person_is_by_hand_m1() {
        let ran =
            |from: i64| Outcome { ran_from_ms: Some(from), took_ms: Some(500), ..Outcome::of(Ending::Ran) };
        for going_on in [[going(1, None)], [going(1, Some(&["a"]))]] {
            let at = |time: i64| {
                with("a", Some(&(1, ran(20_000))), &going_on, 20_500, (Trace::default(), Some(time)))
            };
            assert_eq!(at(10_000), (vec![], false));
            assert_eq!(at(20_100), (vec![1], true));
            // A disk with another clock.
            assert_eq!(at(-100_000), (vec![1], true));
        }
        // Nobody tells how long it ran: then nobody knows whose it is, unless it is named.
        let waited = |named| {
            let mut one = going(1, named);
            one.told.waited = true;
            [one]
        };
        assert_eq!(at("a", Some(1), &waited(None), 20_500, Trace::default()), (vec![1], false));
        assert_eq!(at("a", Some(1), &waited(None), 900, Trace::default()), (vec![1], true));
        assert_eq!(at("a", Some(1), &waited(Some(&["a"])), 20_500, Trace::default()), (vec![1], true));
        // Touched a second before it ran: it may have been the person, who said yes then.
        let ran = Outcome { ran_from_ms: Some(20_000), took_ms: Some(500), ..Outcome::of(Ending::Ran) };
        for (touched, sure) in [(18_900, false), (19_900, true)] {
            let told =
                with("a", Some(&(1, ran.clone())), &waited(None), 20_500, (Trace::default(), Some(touched)));
            assert_eq!(told, (vec![1], sure));
        }
    }
}
