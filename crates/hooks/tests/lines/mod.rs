//! Whose line is this, when commands copy? Scripted truth over the hooks: a person types and nobody looks, then an agent's one command copies and
//! edits. At least 99 of 100 lines are told right, and no line of a person is given to an agent, now or after thinning.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test fails where it stands, and tells what it measured"
)]
#![cfg(unix)]

mod chance;
mod labelled;
mod stories;
mod truth;
mod typing;

use truth::{Doc, Docs, Score, Truth, World};

fn told(seeds: std::ops::Range<u64>) {
    let mut all = [Score::default(), Score::default(), Score::default()];
    let shown = format!("seeds {seeds:?}");
    for seed in seeds {
        for (sum, score) in all.iter_mut().zip(chance::scores(seed)) {
            sum.add(score);
        }
    }
    for (when, score) in ["now", "thinned", "half a year later"].iter().zip(all) {
        let share = score.right as f64 / score.lines.max(1) as f64;
        println!(
            "{shown}, {when}: {} of {} lines right ({:.2} %), {} of a person's given to an agent",
            score.right,
            score.lines,
            share * 100.0,
            score.stolen.len()
        );
        assert!(score.stolen.is_empty(), "{shown}, {when}:\n{}", score.stolen.join("\n"));
        assert!(share >= 0.99, "{shown}, {when}:\n{}", score.wrong.join("\n"));
    }
}

#[test]
fn open_seeds_with_copies_are_told_right() {
    told(1..25);
}

#[test]
fn sealed_seeds_with_copies_are_told_right() {
    told(5_001..5_025);
}

#[test]
fn open_labelled_stories_are_told_as_they_were() {
    let seeds = std::env::var("LABELLED").ok();
    let seeds = seeds.as_deref().and_then(|seeds| seeds.split_once(".."));
    let number = |text: &str| text.parse().unwrap();
    labelled::told(seeds.map_or(1..41, |(from, to)| number(from)..number(to)));
}

fn doc(lines: &[&str], truth: &Truth) -> Doc {
    lines.iter().map(|line| ((*line).to_owned(), truth.clone())).collect()
}

/// A file as vib first saw it, and three lines that a person types into it afterwards.
fn typed_into() -> World {
    let old = ["def one():", "    return 1", "", "def two():", "    return 2"];
    let mut world = World::new(Docs::from([("m.py".to_owned(), doc(&old, &Truth::Before))]));
    world.person(|docs| {
        let typed = doc(&["def mine():", "    y = 9", "    return y"], &Truth::Person);
        docs.get_mut("m.py").unwrap().splice(2..2, typed);
    });
    world
}

/// A person types, vib has not looked, and one command copies and edits: every way of it.
#[test]
fn what_a_person_typed_stays_theirs_in_a_copy_that_one_command_makes_and_edits() {
    let ways = [
        "cp m.py n.py",
        "cat m.py > n.py",
        "cat m.py | tee n.py > /dev/null",
        "install -m 644 m.py n.py",
        "cat < m.py > n.py",
        "dd if=m.py of=n.py status=none",
        "cp m.py n.tmp && mv n.tmp n.py",
        "mkdir -p lib && cp m.py lib && cp lib/m.py n.py",
        "awk 1 m.py > n.py",
        "sed '' m.py > n.py",
        "python3 -c \"open('n.py','w').write(open('m.py').read())\"",
        "tar cf - m.py | tar xf - --transform s/m.py/n.py/",
    ];
    for way in ways {
        let mut world = typed_into();
        let line = format!("{way} && sed -i '1s/.*/def uno():/' n.py && echo '# by the agent' >> n.py");
        world.shell("s", &line, true, |docs, by| {
            let mut new = docs["m.py"].clone();
            new[0] = ("def uno():".to_owned(), by.clone());
            new.push(("# by the agent".to_owned(), by.clone()));
            if way.contains("lib/m.py") {
                docs.insert("lib/m.py".to_owned(), docs["m.py"].clone());
            }
            docs.insert("n.py".to_owned(), new);
        });
        let score = world.score(&world.steps());
        assert!(score.stolen.is_empty() && score.wrong.is_empty(), "{way}: {score:?}");
    }
}
