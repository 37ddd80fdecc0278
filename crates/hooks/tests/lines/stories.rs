//! Small stories with their truth written beside every line: what a person types while an agent's program runs, what a rename by a command does to a
//! person's lines, what a script copies. Written before the code; the sealed half was not opened before the end.
//!
//! Each line of a file begins with who wrote it: `b` was there before; `p` a person; `d` a person while the command ran; `c` a person, and the command
//! changed it; `a` the command; `x` was there before and the command changed it; `y` the command, by the text of a script; `u` a program, and nothing
//! tells that it was no person; `v` a copy of what was there before.

use engine::why::{Source, WhyQuery, why};
use store::Silent;

use super::truth::{Doc, Docs, Truth, World};

type Files = Vec<(String, Option<Vec<(char, String)>>)>;

#[derive(Default)]
struct Story {
    name: String,
    command: String,
    start: Files,
    typed: Files,
    after: Files,
}

fn parse(text: &str) -> Vec<Story> {
    let mut out: Vec<Story> = Vec::new();
    let mut state = 0;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            out.push(Story { name: name.to_owned(), ..Story::default() });
            continue;
        }
        let Some(story) = out.last_mut() else { continue };
        if let Some(command) = line.strip_prefix("$ ") {
            story.command = command.replace("\\\\n", "\u{1}").replace("\\n", "\n").replace('\u{1}', "\\n");
            continue;
        }
        if let Some(part) = line.strip_prefix("@ ") {
            state = ["start", "typed", "after"].iter().position(|one| *one == part).unwrap();
            continue;
        }
        let files = [&mut story.start, &mut story.typed, &mut story.after].into_iter().nth(state).unwrap();
        if let Some(name) = line.strip_prefix("== ") {
            files.push((name.to_owned(), Some(Vec::new())));
        } else if let Some(name) = line.strip_prefix("=- ") {
            files.push((name.to_owned(), None));
        } else if let Some(letter) = line.chars().next() {
            let text = line.get(2..).unwrap_or_default().to_owned();
            files.last_mut().unwrap().1.as_mut().unwrap().push((letter, text));
        }
    }
    out
}

fn put_in(files: &Files, docs: &mut Docs) {
    for (name, lines) in files {
        match lines {
            None => drop(docs.remove(name)),
            Some(lines) => {
                let doc: Doc = lines.iter().map(|(_, text)| (text.clone(), Truth::Before)).collect();
                docs.insert(name.clone(), doc);
            }
        }
    }
}

#[derive(Default)]
struct Told {
    lines: usize,
    right: usize,
    unsure: Vec<String>,
    stolen: Vec<String>,
    wrong: Vec<String>,
}

fn tell(story: &Story, told: &mut Told) {
    let mut docs = Docs::new();
    put_in(&story.start, &mut docs);
    let mut world = World::new(docs);
    world.says_yes = true;
    if !story.typed.is_empty() {
        world.person(|docs| put_in(&story.typed, docs));
    }
    let id = world.shell("s", &story.command, false, |docs, _| put_in(&story.after, docs));
    world.ask("s", "go on");
    let step = world.steps().get(&id).copied();
    let engine = world.engine();
    let mut letters: std::collections::BTreeMap<&str, &Vec<(char, String)>> = Default::default();
    for (name, lines) in story.start.iter().chain(&story.typed).chain(&story.after) {
        match lines {
            Some(lines) => drop(letters.insert(name, lines)),
            None => drop(letters.remove(name.as_str())),
        }
    }
    for (name, lines) in letters.iter().filter(|(_, lines)| !lines.is_empty()) {
        let report = why(&engine, &WhyQuery::file(world.root.join(name)), &Silent).unwrap();
        assert_eq!(report.lines.len(), lines.len(), "{}: {name}", story.name);
        for (line, (letter, text)) in report.lines.iter().zip(lines.iter()) {
            assert_eq!(&line.text, text, "{}: {name}", story.name);
            if text.trim().is_empty() {
                continue;
            }
            let source = &report.sources[line.source];
            let by_hand = matches!(source, Source::ByHand { .. } | Source::Unsaved);
            let is_step = matches!(source, Source::Step { steps, .. } if step.is_some_and(|step| steps.contains(&step)));
            let before = matches!(source, Source::BeforeVib);
            let unsure = matches!(source, Source::OneOf { .. } | Source::Either { .. });
            let right = match letter {
                'b' => before,
                'p' => by_hand,
                'd' | 'c' => by_hand || unsure,
                'a' | 'x' => is_step,
                'y' | 'u' => is_step || unsure,
                'v' => before || by_hand || is_step || unsure,
                other => panic!("{other}"),
            };
            told.lines += 1;
            let shown =
                format!("{}: {name}:{} [{letter}] {text:?}, told {source:?}", story.name, line.number);
            if right {
                told.right += 1;
            } else if "pdc".contains(*letter) && matches!(source, Source::Step { .. }) {
                told.stolen.push(shown);
            } else if unsure {
                told.unsure.push(shown);
            } else {
                told.wrong.push(shown);
            }
        }
    }
}

fn check(half: &str, text: &str) {
    let stories = parse(text);
    assert_eq!(stories.len(), 20, "{half}");
    let mut told = Told::default();
    stories.iter().for_each(|story| tell(story, &mut told));
    println!(
        "{half}: {} of {} lines right, {} unsure, {} wrong, {} of a person's given to an agent\n{}",
        told.right,
        told.lines,
        told.unsure.len(),
        told.wrong.len(),
        told.stolen.len(),
        [&told.stolen, &told.wrong, &told.unsure].map(|lines| lines.join("\n")).join("\n--\n"),
    );
    assert!(told.stolen.is_empty(), "{half}: of a person's, given to an agent:\n{}", told.stolen.join("\n"));
    assert!(told.wrong.is_empty(), "{half}: wrong:\n{}", told.wrong.join("\n"));
}

#[test]
fn open_stories_are_told_as_they_were() {
    check("open stories", include_str!("stories/open.txt"));
}

#[test]
fn sealed_stories_are_told_as_they_were() {
    check("sealed stories", include_str!("stories/sealed.txt"));
}
