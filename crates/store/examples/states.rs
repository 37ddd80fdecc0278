//! How long it takes to write a state into a folder, and to take the folder from state to state, beside a copy of the files.
//!
//! `cargo run --release -p vib-store --example states [FILES]`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that fails where it stands")]

use std::time::{Duration, Instant};

use project::{Context, Project};
use vib_store::{CheckpointKind, Silent, SnapshotRequest, Store};

fn median(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    (ms(times[times.len() / 2]), ms(times[times.len() - 1]))
}

fn main() {
    let files = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(31_000);
    let base = tempfile::tempdir().unwrap();
    let real = base.path().canonicalize().unwrap();
    let root = real.join("project");
    std::fs::create_dir(&root).unwrap();
    testkit::tree::many(&root, files);
    let get = |name: &str| (name == "HOME").then(|| real.join("home").into_os_string());
    let context = Context::with_environment(root.clone(), &get);
    let project = Project::open(&context).unwrap();
    let mut store = Store::open(&context, &project).unwrap();
    let save = |store: &mut Store<'_>| {
        let lock = store.lock_tree("measuring").unwrap();
        store
            .snapshot_tree(&lock, &SnapshotRequest::new(CheckpointKind::Turn), &[], &Silent)
            .unwrap()
            .checkpoint
            .seq
    };
    let mut states = vec![save(&mut store)];
    for state in 0..40 {
        for file in 0..3 {
            let number = (state * 733 + file * 97) % files;
            let folder = root.join(format!("pkg{}/mod{}", number / 1600, (number / 40) % 40));
            std::fs::write(folder.join(format!("f{number}.rs")), format!("// state {state}\n")).unwrap();
        }
        std::fs::write(root.join(format!("new{state}.txt")), "new\n").unwrap();
        states.push(save(&mut store));
    }
    let folder = real.join("copy");
    let began = Instant::now();
    let mut copy = store.materialise(&store.recorded_state_at(states[20]), &folder, &Silent).unwrap();
    println!("{files} files: the first state in {:.0} ms", began.elapsed().as_secs_f64() * 1e3);
    let (mut moves, mut mends) = (Vec::new(), Vec::new());
    for round in 0..60 {
        let to = states[(round * 17 + 5) % states.len()];
        let began = Instant::now();
        copy.mend().unwrap();
        mends.push(began.elapsed());
        let began = Instant::now();
        copy.move_to(&store, &store.recorded_state_at(to)).unwrap();
        moves.push(began.elapsed());
    }
    let both: Vec<Duration> = moves.iter().zip(&mends).map(|(moved, mended)| *moved + *mended).collect();
    for (what, times) in
        [("moving to another state", moves), ("looking what a run changed", mends), ("both", both)]
    {
        let (median, slowest) = median(times);
        println!("{what}: median {median:.1} ms, slowest {slowest:.1} ms");
    }
    let began = Instant::now();
    vib_store::remove_folder(&folder).unwrap();
    println!("removing it: {:.0} ms", began.elapsed().as_secs_f64() * 1e3);
}
