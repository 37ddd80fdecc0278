//! Which of the states is the first bad one? Pure: it asks for the verdict on a state by its number and knows nothing of files.
//!
//! State 0 is taken to be good and state *n* to be bad, and neither is tried before it matters: halving takes ⌈log₂ n⌉ runs, and the two
//! neighbours that it ends with are run once more each. For a neighbour that was an end, that is its first run and the proof of what was
//! taken for granted; for any other it is a second opinion. A check that answers differently the second time is flaky: then states are run
//! as often as it takes to tell them apart ([`super::noisy`]), and the report says so.
//!
//! Halving finds *a* change from good to bad. Where what was done there went again before the end, it is not what breaks the end: then the
//! second opinions are spent on the state without it, and the search goes on behind that.

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
    /// The first bad one is after the first and at the latest the second of these; the states between cannot be judged, or no run was left for them.
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
    /// What was found was held against chance; else the states around it were run once or twice, which is enough for a check that is not flaky.
    pub(super) sure: bool,
    /// First bad states before, after which it was good again.
    pub(super) earlier: Vec<usize>,
}

/// Where what a state brought is gone again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mended {
    /// The state to look at.
    pub(super) at: usize,
    /// In the next one it is back.
    pub(super) back: bool,
}

/// The most runs that a steady check needs for so many states after the good one.
pub fn most_runs(states: usize) -> usize {
    let halvings = usize::BITS - states.saturating_sub(1).leading_zeros();
    // Between two ends neither of which was tried before, the one that says no is still asked twice.
    (halvings as usize + 2).max(3)
}

/// Answers of one state.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) good: u32,
    pub(super) bad: u32,
}

impl Count {
    pub(super) fn all(self) -> u32 {
        self.good + self.bad
    }
}

pub(super) struct Search<R, M> {
    run: R,
    pub(super) mended: M,
    pub(super) last: usize,
    pub(super) counts: BTreeMap<usize, Count>,
    pub(super) skipped: Vec<usize>,
    runs: usize,
    pub(super) repeat: u32,
    pub(super) earlier: Vec<usize>,
    is_flaky: bool,
}

/// Searches among the states 0 to `last`. `repeat`: how often each state is run at least, for a check that is known to be flaky; 1 for any other.
/// `mended`: where, after a first bad state and before the end, what it brought is gone again.
pub(super) fn search<E>(
    last: usize,
    repeat: u32,
    mended: impl FnMut(usize) -> Result<Option<Mended>, E>,
    run: impl FnMut(usize) -> Result<Verdict, E>,
) -> Result<Searched, E> {
    let mut search = Search {
        run,
        mended,
        last,
        counts: BTreeMap::new(),
        skipped: Vec::new(),
        runs: 0,
        repeat: repeat.max(1),
        earlier: Vec::new(),
        is_flaky: false,
    };
    let steady = if search.repeat > 1 { None } else { search.steady()? };
    let (found, sure) = match steady {
        Some(found) => (found, false),
        None => (search.noisy()?, true),
    };
    let mut skipped = search.skipped;
    skipped.sort_unstable();
    skipped.dedup();
    let (runs, flaky, earlier) = (search.runs, search.is_flaky, search.earlier);
    Ok(Searched { found, runs, skipped, flaky, sure, earlier })
}

impl<E, R: FnMut(usize) -> Result<Verdict, E>, M: FnMut(usize) -> Result<Option<Mended>, E>> Search<R, M> {
    pub(super) fn try_once(&mut self, state: usize) -> Result<Verdict, E> {
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
        self.is_flaky |= count.good > 0 && count.bad > 0;
        self.runs += 1;
        Ok(verdict)
    }

    pub(super) fn count(&self, state: usize) -> Count {
        self.counts.get(&state).copied().unwrap_or_default()
    }

    fn was_tried(&self, state: usize) -> bool {
        self.count(state).all() > 0
    }

    fn left(&self) -> usize {
        most_runs(self.last).saturating_sub(self.runs)
    }

    /// The state nearest to the middle that can be judged.
    fn next(&self, low: usize, high: usize) -> Option<usize> {
        let middle = low + (high - low) / 2;
        (low + 1..high)
            .filter(|state| !self.skipped.contains(state))
            .min_by_key(|state| (state.abs_diff(middle), *state))
    }

    /// Halves as long as so many runs are left behind.
    fn halve(&mut self, low: &mut usize, high: &mut usize, spare: usize) -> Result<(), E> {
        while let Some(state) = self.next(*low, *high) {
            if self.left() <= spare {
                return Ok(());
            }
            match self.try_once(state)? {
                Verdict::Good => *low = state,
                Verdict::Bad => *high = state,
                Verdict::Skip => {}
            }
        }
        Ok(())
    }

    /// None: the check is flaky.
    fn steady(&mut self) -> Result<Option<Found>, E> {
        let (mut low, mut high) = (0, self.last);
        self.halve(&mut low, &mut high, 0)?;
        self.go_on_behind_what_was_mended(&mut low, &mut high)?;
        // The neighbours once more. An end that was never tried has to prove what was taken for granted.
        let mut ends = [(high, Verdict::Bad, Found::StillGood), (low, Verdict::Good, Found::AlreadyBad)];
        // What was never tried comes first: if it says no, nobody needs a second opinion of the other. (M5)
        ends.sort_by_key(|(state, ..)| self.was_tried(*state));
        for (state, expected, otherwise) in ends {
            let was_tried = self.was_tried(state);
            // Runs that were spent on what was mended are spent.
            if self.left() == 0 && (was_tried || !self.earlier.is_empty()) {
                continue;
            }
            match self.try_once(state)? {
                verdict if verdict == expected => {}
                Verdict::Skip => return Ok(Some(Found::Between(low, high))),
                // An end that says no is asked once more before it is believed.
                _ if !was_tried && self.try_once(state)? != expected => return Ok(Some(otherwise)),
                _ => return Ok(None),
            }
        }
        Ok(Some(if high - low == 1 { Found::First(high) } else { Found::Between(low, high) }))
    }

    /// What the first bad state brought may be gone again before the end; then something else breaks the end, or the same once more.
    fn go_on_behind_what_was_mended(&mut self, low: &mut usize, high: &mut usize) -> Result<(), E> {
        let to_prove = usize::from(!self.was_tried(*low));
        if *high == self.last || self.left() <= to_prove {
            return Ok(());
        }
        let Some(mended) = (self.mended)(*high)?.filter(|mended| mended.at > *high && mended.at < self.last)
        else {
            return Ok(());
        };
        if self.try_once(mended.at)? != Verdict::Good {
            return Ok(());
        }
        self.earlier.push(*high);
        (*low, *high) = (mended.at, self.last);
        if mended.back && mended.at + 1 < self.last && self.left() > 0 {
            match self.try_once(mended.at + 1)? {
                Verdict::Good => *low = mended.at + 1,
                Verdict::Bad => *high = mended.at + 1,
                Verdict::Skip => {}
            }
        }
        let spare = usize::from(*high == self.last);
        self.halve(low, high, spare)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn with(last: usize, run: impl Fn(usize, usize) -> Verdict) -> Searched {
        with_mended(last, |_| None, run)
    }

    fn with_mended(
        last: usize,
        mended: impl Fn(usize) -> Option<Mended>,
        run: impl Fn(usize, usize) -> Verdict,
    ) -> Searched {
        let mut number = 0;
        let ran = search(
            last,
            1,
            |state| Ok(mended(state)),
            |state| {
                number += 1;
                Ok::<_, Infallible>(run(state, number))
            },
        );
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
                assert!(!searched.flaky && !searched.sure && searched.earlier.is_empty());
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
        assert!(searched.flaky && searched.sure);
        assert!(matches!(searched.found, Found::First(7)), "{searched:?}");
        // Now so, now so, everywhere: nothing can be told.
        let coin =
            |_: usize, number: usize| if number.is_multiple_of(2) { Verdict::Bad } else { Verdict::Good };
        let searched = with(16, coin);
        assert!(searched.flaky && matches!(searched.found, Found::Flaky(..)), "{searched:?}");
    }

    /// Broken, mended by taking exactly that away, broken again by the same or by something else: what breaks the end is named, or that it is one of
    /// several; and never with more runs.
    #[test]
    fn what_was_mended_in_between_is_not_what_breaks_it_now() {
        let (mut named, mut several, mut all) = (0, 0, 0);
        for last in [6, 9, 20, 64, 200] {
            for first in 1..last - 2 {
                for good_again in first + 1..last - 1 {
                    for again in good_again + 1..=last {
                        if (first * 7 + good_again * 3 + again) % (1 + last / 10) != 0 {
                            continue;
                        }
                        for same in [true, false] {
                            let verdict = |state: usize, _: usize| {
                                let bad = state >= first && state < good_again || state >= again;
                                if bad { Verdict::Bad } else { Verdict::Good }
                            };
                            let mended = |state: usize| {
                                let at = if same { again - 1 } else { good_again };
                                (state == first).then_some(Mended { at, back: same })
                            };
                            let searched = with_mended(last, mended, verdict);
                            let about = format!("{last}: {first} {good_again} {again} {same}: {searched:?}");
                            assert!(searched.runs <= most_runs(last), "{about}");
                            all += 1;
                            match searched.found {
                                Found::First(state) => assert_eq!(state, again, "{about}"),
                                Found::Between(low, high) => {
                                    assert!(
                                        low < again && again <= high && searched.earlier == [first],
                                        "{about}"
                                    );
                                    assert!(!same, "{about}");
                                    several += 1;
                                    continue;
                                }
                                _ => panic!("{about}"),
                            }
                            named += 1;
                        }
                    }
                }
            }
        }
        println!("{named} of {all} named, {several} several");
        assert!(named > several);
    }
}
