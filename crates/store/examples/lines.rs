//! How long it takes to say who wrote the lines of a file: 1,000 lines, 100 versions, each a small edit somewhere.
//!
//! `cargo run --release -p vib-store --example lines [LINES] [VERSIONS]`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that fails where it stands")]

use std::time::{Duration, Instant};

use project::{Context, Project, RelPath};
use vib_store::lines::LineWalk;
use vib_store::{Actor, CheckpointKind, Ending, Moment, NewStep, Outcome, SnapshotRequest, Store};

fn main() {
    let mut words = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let (count, versions) = (words.next().unwrap_or(1_000), words.next().unwrap_or(100));
    let base = tempfile::tempdir().unwrap();
    let real = base.path().canonicalize().unwrap();
    let root = real.join("project");
    std::fs::create_dir(&root).unwrap();
    let get = |name: &str| (name == "HOME").then(|| real.join("home").into_os_string());
    let context = Context::with_environment(root.clone(), &get);
    let project = Project::open(&context).unwrap();
    let mut store = Store::open(&context, &project).unwrap();
    let mut lines: Vec<String> =
        (0..count).map(|line| format!("    let value_{line} = compute({line}, \"some words\");")).collect();
    let path = RelPath::new(b"file.rs").unwrap();
    let write = |lines: &[String]| std::fs::write(root.join("file.rs"), lines.join("\n") + "\n").unwrap();
    write(&lines);
    let look = |store: &mut Store<'_>, moment: Moment| {
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.moment = moment;
        store.snapshot_paths(&request, std::slice::from_ref(&path)).unwrap().step
    };
    look(&mut store, Moment::Between);
    let mut seed = 88_172_645_463_325_252_u64;
    let mut below = |most: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed >> 33).unwrap() % most
    };
    for version in 0..versions {
        let step = look(&mut store, Moment::Before(Box::new(NewStep::of(Actor::Agent)))).unwrap();
        for edit in 0..4 {
            let at = below(lines.len());
            lines[at] = format!("    let changed_{version}_{edit} = compute({at});");
            let at = below(lines.len());
            lines.insert(at, format!("    new_{version}_{edit}();"));
            let at = below(lines.len());
            lines.remove(at);
        }
        write(&lines);
        look(&mut store, Moment::After(step, Outcome::of(Ending::Ran)));
    }
    let content = std::fs::read(root.join("file.rs")).unwrap();
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let began = Instant::now();
            let told = LineWalk::new(&store).file(&path, Some(content.clone())).unwrap();
            assert_eq!(told.lines.len(), lines.len());
            began.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "{} lines, {versions} versions: median {:.1} ms, slowest {:.1} ms",
        lines.len(),
        times[10].as_secs_f64() * 1e3,
        times[20].as_secs_f64() * 1e3
    );
}
