//! Stories made up by chance: two agents, a person, moves, formatters, undo and redo, in any order.

use std::collections::BTreeMap;

use engine::undo::Target;
use store::StepNumber;
use vib_engine as engine;

use super::world::{Doc, Score, Truth, World, insert};

/// A small source of chance, the same everywhere.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }
}

const SESSIONS: [&str; 2] = ["s1", "codex-1"];
const VERBS: [&str; 8] = ["load", "store", "print", "count", "merge", "split", "check", "close"];
const THINGS: [&str; 8] = ["orders", "prices", "users", "teas", "shelves", "bills", "routes", "letters"];

/// A line of code that is nowhere else, or now and then one that is everywhere.
fn line(chance: &mut Chance, number: &mut usize) -> String {
    *number += 1;
    match chance.below(9) {
        0 => "    }".to_owned(),
        1 => String::new(),
        n => {
            let (verb, thing) = (VERBS[chance.below(8)], THINGS[chance.below(8)]);
            format!("{}{verb}_{thing}({number}, \"{thing} {number}\");", "    ".repeat(n % 3))
        }
    }
}

fn lines(chance: &mut Chance, number: &mut usize) -> String {
    let count = 1 + chance.below(5);
    (0..count).map(|_| line(chance, number)).collect::<Vec<_>>().join("\n")
}

fn some_file(chance: &mut Chance, docs: &BTreeMap<String, Doc>) -> Option<String> {
    let names: Vec<&String> = docs.iter().filter(|(_, doc)| doc.len() > 3).map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| names[chance.below(names.len())].clone())
}

/// Puts lines in, takes lines out, or both at one place.
fn change(chance: &mut Chance, number: &mut usize, doc: &mut Doc, by: &Truth) {
    let here = chance.below(doc.len() + 1);
    let kind = chance.below(4);
    let mut gone: Doc = Vec::new();
    if kind > 1 && here < doc.len() {
        let end = (here + 1 + chance.below(3)).min(doc.len());
        gone.extend(doc.drain(here..end));
    }
    if kind != 3 || doc.len() < 6 {
        // A line of its own begins a change: what touches only equal lines on both sides has no place that could be told.
        let text = format!("own_{number}();\n{}", lines(chance, number));
        *number += 1;
        let here = here.min(doc.len());
        let before = doc.len();
        insert(doc, here, &text, by);
        // A bracket or blank line that is taken away and typed again at the same place is the same one: nobody outside could see it.
        let added = doc.len() - before;
        for (line, truth) in &mut doc[here..here + added] {
            let is_bare = !line.chars().any(char::is_alphanumeric);
            if let Some(at) = gone.iter().position(|(other, _)| is_bare && other == line) {
                *truth = gone.remove(at).1;
            }
        }
    }
}

/// Lives through one story.
pub fn live(seed: u64) -> World {
    let mut chance = Chance::new(seed);
    let mut number = 0;
    let text = |chance: &mut Chance, number: &mut usize| {
        (0..12 + chance.below(20)).map(|_| line(chance, number) + "\n").collect::<String>()
    };
    let files: Vec<(String, String)> =
        (0..3).map(|file| (format!("src/file{file}.js"), text(&mut chance, &mut number))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let mut world = World::new(&files);
    for session in SESSIONS {
        world.ask(session, "begin");
    }
    let mut made = 0;
    let mut last: Option<(StepNumber, BTreeMap<String, Doc>)> = None;
    for _ in 0..14 + chance.below(14) {
        let session = SESSIONS[chance.below(2)];
        let Some(name) = some_file(&mut chance, &world.docs) else { break };
        let before = world.docs.clone();
        let mut step = None;
        match chance.below(14) {
            0 => world.ask(session, "go on"),
            1..=4 => {
                step = Some(world.edit(session, &name, |doc, by| change(&mut chance, &mut number, doc, by)));
            }
            5 | 6 => {
                step = Some(world.shell(session, "node change.js", |docs, by| {
                    for doc in docs.values_mut() {
                        if chance.below(2) == 0 {
                            change(&mut chance, &mut number, doc, by);
                        }
                    }
                }));
            }
            7..=9 => world.person(|docs| {
                change(&mut chance, &mut number, docs.get_mut(&name).unwrap(), &Truth::Person);
            }),
            10 => {
                made += 1;
                world.shell(session, "git mv", |docs, _| {
                    let doc = docs.remove(&name).unwrap();
                    docs.insert(format!("lib/moved{made}.js"), doc);
                });
            }
            11 => {
                world.shell(session, "npx prettier --write .", |docs, _| {
                    for (line, _) in docs.get_mut(&name).unwrap() {
                        let blanks = line.len() - line.trim_start().len();
                        let wide = if blanks.is_multiple_of(4) { blanks / 2 } else { blanks * 2 };
                        *line = format!("{}{}", " ".repeat(wide), line.trim_start());
                    }
                });
            }
            12 => {
                if let Some((taken, then)) = last.take() {
                    let after = world.docs.clone();
                    world.undo(&Target::Step(taken), then);
                    if chance.below(2) == 0 {
                        world.undo(&Target::Redo, after);
                    }
                }
            }
            _ => {
                let one = world.begin(SESSIONS[0], "make all", None);
                let two = world.begin(SESSIONS[1], "make docs", None);
                let both = Truth::OneOf(vec![one, two]);
                world.meanwhile(|docs| change(&mut chance, &mut number, docs.get_mut(&name).unwrap(), &both));
                world.end(two, None);
                world.end(one, None);
            }
        }
        last = step.filter(|_| before != world.docs).map(|step| (step, before));
    }
    world
}

/// The story, and the same after half a year of thinning.
pub fn scores(seed: u64) -> [Score; 3] {
    let mut world = live(seed);
    let now = world.score();
    world.look();
    world.days_later(60);
    world.look();
    world.clean();
    let thinned = world.score();
    world.days_later(200);
    world.look();
    world.clean();
    [now, thinned, world.score()]
}
