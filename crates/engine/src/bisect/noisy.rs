//! The search with a check that answers now so, now so. False blame is worse than none, so there are two parts that trust nothing of each other:
//!
//! 1. *Where to look.* All answers so far say how likely each place of the change is, whatever the shares are in which the check fails on a good and
//!    on a bad state; the state is run that parts what is likely in two halves. Chosen by chance again and again, its answers prove nothing.
//! 2. *Is it so?* The two states around that place are run anew, in turns. Only these answers count (Fisher's exact test): were both states alike, such
//!    answers would come up less than once in three thousand times. That holds wherever the culprit is, and if there is none.
//!
//! What does not stand this is undecided.

use super::search::{Count, Found, Mended, Search, Verdict};

/// How often both ends are run until they differ, and what chance of being alike is left then: else there is nothing to search for.
const ENDS: [u32; 6] = [5, 8, 14, 24, 40, 60];
const ENDS_ALIKE: f64 = 0.01;
/// An end that was never seen to pass, or to fail, in so many runs is said to be so.
const ALWAYS: u32 = 30;
/// How often both neighbours are run anew, and the chance that two states that are alike look so different, at each of these.
const NEIGHBOURS: [u32; 7] = [8, 12, 18, 26, 38, 56, 80];
const ALIKE: f64 = 1e-4;
/// From so many runs on, neighbours that do not look different at all are given up.
const FUTILE_FROM: u32 = 26;
const FUTILE: f64 = 0.2;
/// So likely a place is before it is put to the test.
const LIKELY: f64 = 0.95;
/// A state is run so often when it is first looked at: the first answer on a cold cache is often another one.
const FIRST_LOOK: u32 = 3;
/// Runs for each halving, at the most.
const EACH_HALVING: usize = 48;
/// So many places are put to the test.
const ROUNDS: usize = 3;

impl<E, R: FnMut(usize) -> Result<Verdict, E>, M: FnMut(usize) -> Result<Option<Mended>, E>> Search<R, M> {
    pub(super) fn noisy(&mut self) -> Result<Found, E> {
        // What led here was chosen by chance: it is no evidence.
        self.earlier.clear();
        let mut from = 0;
        let mut found = self.noisy_from(from)?;
        while let Found::First(state) | Found::Between(_, state) = found {
            let mended = (self.mended)(state)?.filter(|mended| mended.at > state && mended.at < self.last);
            let Some(mended) = mended else { break };
            if !self.differ(mended.at, state)? {
                break;
            }
            self.earlier.push(state);
            from = mended.at;
            found = self.noisy_from(from)?;
        }
        Ok(found)
    }

    fn noisy_from(&mut self, from: usize) -> Result<Found, E> {
        self.counts.clear();
        if let Some(found) = self.compare_ends(from)? {
            return Ok(found);
        }
        for _ in 0..ROUNDS {
            let (low, high) = self.likeliest(from)?;
            if self.differ(low, high)? {
                return Ok(if high - low == 1 { Found::First(high) } else { Found::Between(low, high) });
            }
        }
        Ok(Found::Flaky(from, self.last))
    }

    /// Runs a state so often in all. False: it cannot be judged.
    fn run_times(&mut self, state: usize, times: u32) -> Result<bool, E> {
        while self.count(state).all() < times {
            if self.try_once(state)? == Verdict::Skip {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether there is anything to search for: the end fails more often than the beginning. None: so it is.
    fn compare_ends(&mut self, from: usize) -> Result<Option<Found>, E> {
        for times in ENDS {
            let times = times.max(self.repeat);
            for state in [from, self.last] {
                if !self.run_times(state, times)? {
                    return Ok(Some(Found::Flaky(from, self.last)));
                }
            }
            let (good, bad) = (self.count(from), self.count(self.last));
            if alike(good, bad) <= ENDS_ALIKE {
                return Ok(None);
            }
            // What looks as if nothing were different: is it always so?
            let (end, is_always, found) = match (good.good, bad.bad) {
                (0, _) => (from, true, Found::AlreadyBad),
                (_, 0) => (self.last, false, Found::StillGood),
                _ => continue,
            };
            if !self.run_times(end, ALWAYS)? {
                return Ok(Some(Found::Flaky(from, self.last)));
            }
            let count = self.count(end);
            if if is_always { count.good == 0 } else { count.bad == 0 } {
                return Ok(Some(found));
            }
        }
        Ok(Some(Found::Flaky(from, self.last)))
    }

    /// The neighbours between which the change most likely is, after as many runs as that takes.
    fn likeliest(&mut self, from: usize) -> Result<(usize, usize), E> {
        let halvings = (usize::BITS - (self.last - from).leading_zeros()) as usize;
        let mut left = EACH_HALVING * halvings;
        loop {
            let states: Vec<usize> =
                (from..=self.last).filter(|state| !self.skipped.contains(state)).collect();
            let places = Places::of(&states, |state| self.count(state));
            let (best, likely) = places.likeliest();
            let half = places.half();
            match half.filter(|_| likely < LIKELY && left > 0) {
                None => return Ok((states[best], states[best + 1])),
                Some(half) => {
                    let state = states[half];
                    let most = if self.count(state).all() == 0 { self.repeat.max(FIRST_LOOK) } else { 1 };
                    for _ in 0..most {
                        left = left.saturating_sub(1);
                        if self.try_once(state)? == Verdict::Skip {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Runs two states anew, in turns: the second one fails more often, and that is no chance.
    fn differ(&mut self, good: usize, bad: usize) -> Result<bool, E> {
        let (was_good, was_bad) = (self.count(good), self.count(bad));
        let since = |now: Count, was: Count| Count { good: now.good - was.good, bad: now.bad - was.bad };
        for times in NEIGHBOURS {
            for state in [good, bad] {
                let was = if state == good { was_good } else { was_bad };
                while since(self.count(state), was).all() < times {
                    if self.try_once(state)? == Verdict::Skip {
                        return Ok(false);
                    }
                }
            }
            let chance = alike(since(self.count(good), was_good), since(self.count(bad), was_bad));
            if chance <= ALIKE {
                return Ok(true);
            }
            if times >= FUTILE_FROM && chance > FUTILE {
                return Ok(false);
            }
        }
        Ok(false)
    }
}

/// How likely the change is at each place: after this state and before the next.
struct Places(Vec<f64>);

impl Places {
    fn of(states: &[usize], count: impl Fn(usize) -> Count) -> Self {
        let counts: Vec<Count> = states.iter().map(|state| count(*state)).collect();
        let all = counts.iter().fold(Count::default(), |all, one| and(all, *one));
        let factorials = Factorials::up_to(all.all() + 2);
        let mut good = Count::default();
        let mut weights = Vec::with_capacity(states.len());
        for (at, one) in counts.iter().enumerate().take(counts.len() - 1) {
            good = and(good, *one);
            let bad = Count { good: all.good - good.good, bad: all.bad - good.bad };
            // Each of the steps between may have done it.
            let steps = (states[at + 1] - states[at]) as f64;
            weights.push(
                factorials.any_share(good) + factorials.any_share(bad) + ordered(good, bad) + steps.ln(),
            );
        }
        let most = weights.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = weights.iter().map(|weight| (weight - most).exp()).sum();
        Self(weights.into_iter().map(|weight| (weight - most).exp() / sum).collect())
    }

    fn likeliest(&self) -> (usize, f64) {
        let best = self.0.iter().copied().enumerate().max_by(|one, other| one.1.total_cmp(&other.1));
        best.unwrap_or_default()
    }

    /// The state that is bad as likely as good. None: there is nothing between the ends.
    fn half(&self) -> Option<usize> {
        let mut is_bad = 0.0;
        let inner = (1..self.0.len()).map(|state| {
            is_bad += self.0[state - 1];
            (state, f64::abs(is_bad - 0.5))
        });
        inner.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(state, _)| state)
    }
}

fn and(one: Count, other: Count) -> Count {
    Count { good: one.good + other.good, bad: one.bad + other.bad }
}

/// Logarithms of factorials.
struct Factorials(Vec<f64>);

impl Factorials {
    fn up_to(most: u32) -> Self {
        let mut out = vec![0.0];
        let mut sum = 0.0;
        for number in 1..=most {
            sum += f64::from(number).ln();
            out.push(sum);
        }
        Self(out)
    }

    fn of(&self, number: u32) -> f64 {
        self.0.get(number as usize).copied().unwrap_or(f64::MAX)
    }

    /// How likely these answers are, if any share of failing is as likely as any other.
    fn any_share(&self, count: Count) -> f64 {
        self.of(count.good) + self.of(count.bad) - self.of(count.all() + 1)
    }
}

/// How likely bad states fail more often than good ones, by what was seen of both: of the logarithm.
fn ordered(good: Count, bad: Count) -> f64 {
    let share = |count: Count| -> (f64, f64) {
        let all = f64::from(count.all()) + 2.0;
        let share = (f64::from(count.bad) + 1.0) / all;
        (share, share * (1.0 - share) / (all + 1.0))
    };
    let ((good, spread), (bad, other)) = (share(good), share(bad));
    let apart = (bad - good) / (spread + other).sqrt();
    // The normal distribution, closely enough.
    -(-1.702 * apart).exp().ln_1p()
}

/// The chance that two states which are alike give answers that differ as much, or more: Fisher's exact test.
fn alike(good: Count, bad: Count) -> f64 {
    let (all, fails) = (good.all() + bad.all(), good.bad + bad.bad);
    let factorials = Factorials::up_to(all);
    let choose = |of: u32, some: u32| factorials.of(of) - factorials.of(some) - factorials.of(of - some);
    let most = fails.min(bad.all());
    (bad.bad..=most)
        .filter(|of_bad| fails - of_bad <= good.all())
        .map(|of_bad| {
            (choose(bad.all(), of_bad) + choose(good.all(), fails - of_bad) - choose(all, fails)).exp()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_are_alike_look_different_as_seldom_as_fisher_says() {
        let count = |good, bad| Count { good, bad };
        assert!((alike(count(8, 0), count(0, 8)) - 1.0 / 12_870.0).abs() < 1e-9);
        assert!((alike(count(3, 1), count(1, 3)) - 17.0 / 70.0).abs() < 1e-9);
        assert!((alike(count(0, 5), count(0, 5)) - 1.0).abs() < 1e-9);
    }
}
