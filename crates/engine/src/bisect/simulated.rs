//! Checks that fail by chance, many thousand times: a step that is named on a search that was held against chance is the culprit in at least 995 of
//! 1,000 cases, whatever the check does, wherever the culprit is and if there is none.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::search::{Found, Searched, Verdict, most_runs, search};

struct Chance(u64);

impl Chance {
    fn share(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, most: usize) -> usize {
        (self.share() * most as f64) as usize
    }
}

#[derive(Default, Debug)]
struct Told {
    all: usize,
    named: usize,
    wrong: usize,
    undecided: usize,
    /// Said that the good end is bad, or the bad end good, where that is not so.
    wrong_end: usize,
    runs: usize,
}

/// One search. `shares`: how often the check fails on a good and on a bad state.
fn searched(
    chance: &mut Chance,
    last: usize,
    first: Option<usize>,
    shares: (f64, f64),
    repeat: u32,
) -> Searched {
    let ran = search(
        last,
        repeat,
        |_| Ok(None),
        |state| {
            let fails = if first.is_some_and(|first| state >= first) { shares.1 } else { shares.0 };
            Ok::<_, Infallible>(if chance.share() < fails { Verdict::Bad } else { Verdict::Good })
        },
    );
    ran.unwrap_or_else(|never| match never {})
}

const FAILS: [f64; 7] = [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8];

#[test]
fn who_is_named_by_a_check_that_fails_by_chance_is_the_culprit() {
    let mut chance = Chance(26);
    let mut sums: BTreeMap<(bool, u32), Told> = BTreeMap::new();
    let mut by_share: BTreeMap<String, Told> = BTreeMap::new();
    // A good state fails by chance; a bad one fails only now and then; both.
    let shares = FAILS.iter().flat_map(|&fails| [(fails, 1.0), (0.0, fails), (fails / 2.0, fails)]);
    for shares in shares {
        for repeat in 1..=7 {
            for last in [1, 5, 20, 64] {
                for seed in 0..12 {
                    let first = (seed % 4 != 3).then(|| 1 + chance.below(last));
                    let searched = searched(&mut chance, last, first, shares, repeat);
                    assert!(searched.sure || searched.runs <= most_runs(last), "{searched:?}");
                    assert!(searched.sure || repeat == 1);
                    let share = format!("{:.3} of good, {:.3} of bad", shares.0, shares.1);
                    let kinds = [
                        sums.entry((searched.sure, repeat)).or_default(),
                        by_share.entry(share).or_default(),
                    ];
                    for told in kinds.into_iter().take(if searched.sure { 2 } else { 1 }) {
                        told.all += 1;
                        told.runs += searched.runs;
                        match searched.found {
                            Found::First(state) => {
                                told.named += 1;
                                told.wrong += usize::from(first != Some(state));
                            }
                            Found::AlreadyBad => told.wrong_end += usize::from(shares.0 < 1.0),
                            Found::StillGood => {
                                let fails = if first.is_some() { shares.1 } else { shares.0 };
                                told.wrong_end += usize::from(fails > 0.0);
                            }
                            Found::Between(..) | Found::Flaky(..) => told.undecided += 1,
                        }
                    }
                }
            }
        }
    }
    for ((sure, repeat), told) in &sums {
        println!("sure: {sure}, repeat {repeat}: {told:?}");
    }
    by_share.iter().for_each(|(share, told)| println!("{share}: {told:?}"));
    let sure = sums.iter().filter(|((sure, _), _)| *sure);
    let (named, wrong) = sure.fold((0, 0), |all, (_, told)| (all.0 + told.named, all.1 + told.wrong));
    println!("{named} named, {wrong} wrong");
    assert!(named > 2_000, "{named}");
    assert!(wrong * 200 <= named, "{wrong} of {named} wrong");
    for ((sure, repeat), told) in &sums {
        assert!(!sure || told.wrong * 200 <= told.named, "repeat {repeat}: {told:?}");
    }
    // A good state that fails one time in five, as it was seen.
    for fails in ["0.050", "0.100", "0.200", "0.350", "0.500"] {
        let told = &by_share[&format!("{fails} of good, 1.000 of bad")];
        assert!(told.named * 10 >= told.all * 6, "{fails}: {told:?}");
    }
}
