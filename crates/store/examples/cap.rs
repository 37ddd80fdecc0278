//! Ninety days of generated history under a size cap: what goes, in which order, and what is said.
//!
//! `cargo run --release -p vib-store --example cap -- [CAP] [STATES A DAY] [BYTES A STATE]`; without arguments a cap of 1 GB, 40 states a
//! day of 1 MB each: 3.6 GB, of which thinning leaves 1.3 and the cap one. Needs 6 GB in the temporary folder. The ordinary tests do the
//! same with a small cap.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement that reports and fails where it stands"
)]

#[path = "../tests/story/mod.rs"]
mod story;
#[path = "../tests/world/mod.rs"]
mod world;

use std::time::Instant;

use story::Story;
use vib_store::Silent;
use world::World;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let cap = arguments.next().unwrap_or_else(|| "1GB".to_owned());
    let mut number = |otherwise: u64| arguments.next().map_or(otherwise, |text| text.parse().unwrap());
    let (a_day, bytes) = (number(40), number(1_000_000));
    let world = World::with_settings(&format!("[retention]\nmax_store_size = '{cap}'\n"));
    let mut store = world.open();
    let begin = Instant::now();
    let story = Story::live(&world, &mut store, 90, a_day, usize::try_from(bytes).unwrap());
    println!("lived 90 days in {:.1?}, {} MB in the store", begin.elapsed(), store.bytes_on_disk() >> 20);
    let begin = Instant::now();
    let lock = store.lock_tree("cap").unwrap();
    let report = store.gc(&lock, None, &Silent).unwrap();
    drop(lock);
    println!("cleaned in {:.1?}: {report:?}", begin.elapsed());
    let kept = |name: &str, these: &[i64]| {
        let left = Story::kept(&store, these);
        println!("{name:8} {} of {} kept", left.len(), these.len());
        left
    };
    kept("agents", &story.agents);
    kept("safety", &story.safety);
    kept("commits", &story.commits);
    assert_eq!(kept("persons", &story.persons), story.persons);
    assert_eq!(kept("pinned", &story.pinned), story.pinned);
    println!("last copies that went: {:?}", store.gone(5).unwrap());
    let check = store.check(&Silent).unwrap();
    assert!(check.is_clean(), "{check:?}");
    println!("everything that is left is whole: {} MB", store.bytes_on_disk() >> 20);
}
