//! Which of the states is the first bad one? Pure: it asks for the verdict on a state by its number and knows nothing of files.
//!
//! State 0 is taken to be good and state *n* to be bad, and neither is tried before it matters: halving takes ⌈log₂ n⌉ runs, and the two
//! neighbours that it ends with are run once more each. For a neighbour that was an end, that is its first run and the proof of what was
//! taken for granted; for any other it is a second opinion. A check that answers differently the second time is flaky: then states are run
//! several times, as long as that tells them apart, and the report says so.

use std::collections::BTreeMap;

/// What a run says about a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The check passes.
    Good,
    /// It fails.
    Bad,
    /// It cannot be judged here: the state cannot be built.
    Skip,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// This state is the first bad one.
    First(usize),
    /// The first bad one is after the first and at the latest the second of these; the states between cannot be judged.
    Between(usize, usize),
    /// The state that was taken to be good is bad.
    AlreadyBad,
    /// The state that was taken to be bad is good.
    StillGood,
    /// The check answers now so, now so, and repeating it did not help. The first bad state is somewhere between these.
    Flaky(usize, usize),
}

/// What the search did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Searched {
    pub(super) found: Found,
    /// Runs that gave an answer.
    pub(super) runs: usize,
    /// States that could not be judged.
    pub(super) skipped: Vec<usize>,
    /// The check was seen to answer differently on the same state.
    pub(super) flaky: bool,
}

/// Each end of a flaky check is run so often: it tells how often the check fails on a good state, and on a bad one.
const ENDS: u32 = 20;
/// Any other state is run so often, at the most, each time it is looked at.
const REPEATS: u32 = 24;
/// The two neighbours that a flaky search ends with, in all.
const NEIGHBOURS: u32 = 60;
/// So far apart the two ends have to be to tell states apart.
const APART: f64 = 0.15;
/// So many times more likely a state is good than bad, or bad than good, before it is believed to be: of the logarithm.
const LIKELY: f64 = 5.3;
/// The same for the two neighbours, between which the step is named: ten thousand times.
const SURE: f64 = 9.2;
/// How far the true share of failing runs may be from the share that was seen, in standard errors.
const DOUBT: f64 = 1.3;
/// So often a flaky search begins again with what it has learned.
const ROUNDS: usize = 4;

/// The most runs that a steady check needs for so many states after the good one.
pub fn most_runs(states: usize) -> usize {
    let halvings = usize::BITS - states.saturating_sub(1).leading_zeros();
    // Between two ends neither of which was tried before, the one that says no is still asked twice.
    (halvings as usize + 2).max(3)
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    good: u32,
    bad: u32,
}

impl Count {
    fn all(self) -> u32 {
        self.good + self.bad
    }

    /// Which part of the runs fails, never quite none or all of them: a few runs do not prove that.
    fn share(self) -> f64 {
        (f64::from(self.bad) + 1.0) / (f64::from(self.all()) + 2.0)
    }

    /// How wrong that may be.
    fn error(self) -> f64 {
        let share = self.share();
        DOUBT * (share * (1.0 - share) / f64::from(self.all().max(1))).sqrt()
    }

    fn and(self, other: Self) -> Self {
        Self { good: self.good + other.good, bad: self.bad + other.bad }
    }
}

/// How a good state answers, and how a bad one.
#[derive(Debug, Clone, Copy)]
struct Ends {
    good: f64,
    bad: f64,
}

impl Ends {
    /// Nearer to each other than what was seen: few runs tell little.
    fn of(good: Count, bad: Count) -> Self {
        Self { good: (good.share() + good.error()).min(0.99), bad: (bad.share() - bad.error()).max(0.01) }
    }

    /// How much more likely these answers are from a bad state than from a good one: of the logarithm.
    fn speaks_for_bad(self, count: Count) -> f64 {
        f64::from(count.bad) * (self.bad / self.good).ln()
            + f64::from(count.good) * ((1.0 - self.bad) / (1.0 - self.good)).ln()
    }
}

struct Search<R> {
    run: R,
    last: usize,
    counts: BTreeMap<usize, Count>,
    skipped: Vec<usize>,
    runs: usize,
    repeat: u32,
}

/// Searches among the states 0 to `last`. `repeat`: how often each state is run, for a check that is known to be flaky; 1 for any other.
pub(super) fn search<E>(
    last: usize,
    repeat: u32,
    run: impl FnMut(usize) -> Result<Verdict, E>,
) -> Result<Searched, E> {
    let mut search =
        Search { run, last, counts: BTreeMap::new(), skipped: Vec::new(), runs: 0, repeat: repeat.max(1) };
    let (found, flaky) = if search.repeat > 1 { search.noisy()? } else { search.steady()? };
    let mut skipped = search.skipped;
    skipped.sort_unstable();
    skipped.dedup();
    Ok(Searched { found, runs: search.runs, skipped, flaky })
}

impl<E, R: FnMut(usize) -> Result<Verdict, E>> Search<R> {
    fn try_once(&mut self, state: usize) -> Result<Verdict, E> {
        let verdict = (self.run)(state)?;
        let count = self.counts.entry(state).or_default();
        match verdict {
            Verdict::Good => count.good += 1,
            Verdict::Bad => count.bad += 1,
            Verdict::Skip => {
                self.skipped.push(state);
                return Ok(verdict);
            }
        }
        self.runs += 1;
        Ok(verdict)
    }

    fn count(&self, state: usize) -> Count {
        self.counts.get(&state).copied().unwrap_or_default()
    }

    /// The state nearest to the middle that can be judged.
    fn next(&self, low: usize, high: usize) -> Option<usize> {
        let middle = low + (high - low) / 2;
        (low + 1..high)
            .filter(|state| !self.skipped.contains(state))
            .min_by_key(|state| (state.abs_diff(middle), *state))
    }

    fn steady(&mut self) -> Result<(Found, bool), E> {
        let (mut low, mut high) = (0, self.last);
        while let Some(state) = self.next(low, high) {
            match self.try_once(state)? {
                Verdict::Good => low = state,
                Verdict::Bad => high = state,
                Verdict::Skip => {}
            }
        }
        // The neighbours once more. An end that was never tried has to prove what was taken for granted.
        let mut ends = [(high, Verdict::Bad, Found::StillGood), (low, Verdict::Good, Found::AlreadyBad)];
        // What was never tried comes first: if it says no, nobody needs a second opinion of the other. (M5)
        ends.sort_by_key(|(state, ..)| self.count(*state).all() > 0);
        for (state, expected, otherwise) in ends {
            let was_tried = self.count(state).all() > 0;
            match self.try_once(state)? {
                verdict if verdict == expected => {}
                Verdict::Skip => return Ok((Found::Between(low, high), false)),
                // An end that says no is asked once more before it is believed.
                _ if !was_tried && self.try_once(state)? != expected => return Ok((otherwise, false)),
                _ => {
                    let (found, _) = self.noisy()?;
                    return Ok((found, true));
                }
            }
        }
        Ok((if high - low == 1 { Found::First(high) } else { Found::Between(low, high) }, false))
    }

    /// Runs a state so often in all. `None`: it cannot be judged.
    fn run_times(&mut self, state: usize, times: u32) -> Result<Option<Count>, E> {
        while self.count(state).all() < times {
            if self.try_once(state)? == Verdict::Skip {
                return Ok(None);
            }
        }
        Ok(Some(self.count(state)))
    }

    /// Runs a state until its answers tell what it is, or often enough. Positive: it is bad. `None`: it cannot be judged.
    fn weigh(&mut self, state: usize, ends: Ends, enough: f64, most: u32) -> Result<Option<f64>, E> {
        loop {
            let count = self.count(state);
            let weight = ends.speaks_for_bad(count);
            if count.all() > 0 && weight.abs() >= enough || count.all() >= most {
                return Ok(Some(weight));
            }
            if self.try_once(state)? == Verdict::Skip {
                return Ok(None);
            }
        }
    }

    /// The check is flaky: states are told apart by how often it fails on them. A step is named only if the two states around it are told apart
    /// for certain, as all runs together say. (M4)
    fn noisy(&mut self) -> Result<(Found, bool), E> {
        // What led here was chosen by chance: it is no evidence.
        let seen_before = std::mem::take(&mut self.counts);
        let was_flaky = seen_before.values().any(|count| count.good > 0 && count.bad > 0);
        let (found, is_flaky) = self.told_apart()?;
        Ok((found, is_flaky || was_flaky))
    }

    fn told_apart(&mut self) -> Result<(Found, bool), E> {
        let times = ENDS.max(self.repeat);
        let (Some(good), Some(bad)) = (self.run_times(0, times)?, self.run_times(self.last, times)?) else {
            return Ok((Found::Flaky(0, self.last), self.is_flaky()));
        };
        if good.good == 0 {
            return Ok((Found::AlreadyBad, self.is_flaky()));
        }
        if bad.bad == 0 {
            return Ok((Found::StillGood, self.is_flaky()));
        }
        let mut ends = Ends::of(good, bad);
        for _ in 0..ROUNDS {
            if ends.bad - ends.good < APART {
                break;
            }
            let (mut low, mut high) = (0, self.last);
            while let Some(state) = self.next(low, high) {
                let most = self.count(state).all().max(self.repeat) + REPEATS;
                match self.weigh(state, ends, LIKELY, most)? {
                    Some(weight) if weight > 0.0 => high = state,
                    Some(_) => low = state,
                    None => {}
                }
            }
            // What was taken for good and for bad on the way tells better than the ends alone how such states answer.
            let pooled = |from: usize, to: usize| {
                self.counts.range(from..=to).fold(Count::default(), |all, (_, count)| all.and(*count))
            };
            ends = Ends::of(pooled(0, low), pooled(high, self.last));
            if ends.bad - ends.good < APART {
                continue;
            }
            let sure = self.weigh(low, ends, SURE, NEIGHBOURS)?.is_some_and(|weight| weight <= -SURE)
                && self.weigh(high, ends, SURE, NEIGHBOURS)?.is_some_and(|weight| weight >= SURE);
            if sure {
                let found = if high - low == 1 { Found::First(high) } else { Found::Between(low, high) };
                return Ok((found, self.is_flaky()));
            }
        }
        Ok((Found::Flaky(0, self.last), true))
    }

    fn is_flaky(&self) -> bool {
        self.counts.values().any(|count| count.good > 0 && count.bad > 0)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn with(last: usize, run: impl Fn(usize, usize) -> Verdict) -> Searched {
        let mut number = 0;
        let ran = search(last, 1, |state| {
            number += 1;
            Ok::<_, Infallible>(run(state, number))
        });
        ran.unwrap_or_else(|never| match never {})
    }

    #[test]
    fn every_first_bad_state_is_found_within_the_promised_runs() {
        for last in [1, 2, 3, 7, 8, 9, 100, 499, 500, 512] {
            for first in 1..=last {
                let verdict = |state: usize, _| if state >= first { Verdict::Bad } else { Verdict::Good };
                let searched = with(last, verdict);
                assert_eq!(searched.found, Found::First(first), "of {last}");
                assert!(searched.runs <= most_runs(last), "{} runs for {last}", searched.runs);
                assert!(!searched.flaky);
            }
        }
    }

    #[test]
    fn what_was_taken_for_granted_and_is_not_so_is_said() {
        for last in [1, 5, 64] {
            assert_eq!(with(last, |_, _| Verdict::Good).found, Found::StillGood);
            let searched = with(last, |_, _| Verdict::Bad);
            assert_eq!(searched.found, Found::AlreadyBad);
        }
    }

    #[test]
    fn a_check_that_fails_or_passes_everywhere_needs_no_more_runs_than_promised_m5() {
        for last in 1..=130 {
            for verdict in [Verdict::Bad, Verdict::Good] {
                let searched = with(last, |_, _| verdict);
                assert!(searched.runs <= most_runs(last), "{} runs for {last}", searched.runs);
            }
        }
    }

    #[test]
    fn states_that_cannot_be_built_are_gone_around() {
        let verdict = |state: usize, _: usize| match state {
            30..=40 => Verdict::Skip,
            _ if state >= 60 => Verdict::Bad,
            _ => Verdict::Good,
        };
        assert_eq!(with(100, verdict).found, Found::First(60));
        let hidden = |state: usize, _: usize| match state {
            30..=40 => Verdict::Skip,
            _ if state >= 35 => Verdict::Bad,
            _ => Verdict::Good,
        };
        assert_eq!(with(100, hidden).found, Found::Between(29, 41));
        assert_eq!(with(4, |_, _| Verdict::Skip).found, Found::Between(0, 4));
    }

    #[test]
    fn a_second_answer_that_differs_is_noticed_and_repeating_helps_or_is_given_up() {
        // Fails on every good state the first time, as a cold cache would make it.
        let tried = std::cell::RefCell::new(std::collections::HashSet::new());
        let cold = |state: usize, _: usize| {
            if state >= 7 || tried.borrow_mut().insert(state) { Verdict::Bad } else { Verdict::Good }
        };
        let searched = with(16, cold);
        assert!(searched.flaky);
        assert!(matches!(searched.found, Found::First(7)), "{searched:?}");
        // Now so, now so, everywhere: nothing can be told.
        let coin =
            |_: usize, number: usize| if number.is_multiple_of(2) { Verdict::Bad } else { Verdict::Good };
        let searched = with(16, coin);
        assert!(searched.flaky && matches!(searched.found, Found::Flaky(..)), "{searched:?}");
    }

    #[test]
    fn a_flaky_check_leads_to_the_right_step_or_to_none_m4() {
        let mut seed: u64 = 0x9E37_79B9_7F4A_7C15;
        let (mut found, mut wrong, mut all) = (0, Vec::new(), 0);
        for good_fails in [0.1, 0.25, 0.5, 0.7] {
            for bad_passes in [0.0, 0.1, 0.3] {
                for first in [1, 4, 10, 17, 20] {
                    for _ in 0..20 {
                        let mut random = || {
                            seed ^= seed << 13;
                            seed ^= seed >> 7;
                            seed ^= seed << 17;
                            (seed >> 11) as f64 / (1_u64 << 53) as f64
                        };
                        let ran = search(20, 1, |state| {
                            let fails = if state >= first { 1.0 - bad_passes } else { good_fails };
                            let verdict = if random() < fails { Verdict::Bad } else { Verdict::Good };
                            Ok::<_, Infallible>(verdict)
                        });
                        let searched = ran.unwrap_or_else(|never| match never {});
                        // Where it was not noticed to be flaky nobody can help.
                        if !searched.flaky {
                            continue;
                        }
                        all += 1;
                        match searched.found {
                            Found::First(state) if state == first => found += 1,
                            Found::First(state) => wrong.push((good_fails, bad_passes, first, state)),
                            _ => {}
                        }
                    }
                }
            }
        }
        println!("{found} of {all} found, {} wrong", wrong.len());
        assert!(wrong.len() * 250 <= all, "{} of {all} wrong: {wrong:?}", wrong.len());
        assert!(found * 3 >= all, "only {found} of {all} found");
    }
}
