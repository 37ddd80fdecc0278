//! Stories that were written before the code and first run when it was done.

use engine::undo::Target;
use vib_engine as engine;

use super::world::{Score, Truth, World, at, doc, insert, replace};

const TEA: &str = "\
import os

PRICES = {'green': 4, 'black': 3}


def price(name):
    if name not in PRICES:
        raise KeyError(name)
    return PRICES[name]


def total(names):
    result = 0
    for name in names:
        result += price(name)
    return result
";

fn tea() -> World {
    let mut world = World::new(&[("tea.py", TEA), ("notes/todo.md", "- sell tea\n- buy tea\n")]);
    world.ask("s1", "work on the tea");
    world
}

/// A whole request is taken back, and the agent goes on.
pub fn undo_of_a_request() -> Score {
    let mut world = tea();
    world.edit("s1", "tea.py", |doc, by| insert(doc, 1, "import sys  # kept", by));
    world.ask("s1", "now break it");
    let before = world.docs.clone();
    world.edit("s1", "tea.py", |doc, by| replace(doc, 3..4, "PRICES = {}", by));
    world.shell("s1", "rm notes/todo.md", |docs, _| {
        docs.remove("notes/todo.md");
    });
    world.edit("s1", "tea.py", |doc, by| insert(doc, 0, "# broken", by));
    let opened = world.engine.store(&store::Silent).unwrap();
    let request = opened.store.requests(Some("s1"), 1).unwrap()[0].number;
    drop(opened);
    world.undo(&Target::Request(request), before);
    world.ask("s1", "and on");
    world.edit("s1", "tea.py", |doc, by| {
        let end = doc.len();
        insert(doc, end, "\n\ndef cheapest():\n    return min(PRICES.values())", by);
    });
    world.score()
}

/// Deleted by a command and brought back with vib.
pub fn deleted_and_back() -> Score {
    let mut world = tea();
    world.person(|docs| insert(docs.get_mut("notes/todo.md").unwrap(), 1, "- drink tea", &Truth::Person));
    world.edit("s1", "notes/todo.md", |doc, by| insert(doc, 3, "- grow tea", by));
    let before = world.docs.clone();
    let step = world.shell("s1", "rm -r notes", |docs, _| {
        docs.remove("notes/todo.md");
    });
    world.undo(&Target::Step(step), before);
    world.score()
}

/// A copy is the same text; then both go their own ways.
pub fn copied_file() -> Score {
    let mut world = tea();
    world.edit("s1", "tea.py", |doc, by| insert(doc, 4, "CURRENCY = 'EUR'", by));
    world.shell("s1", "cp tea.py coffee.py", |docs, _| {
        let same = docs["tea.py"].clone();
        docs.insert("coffee.py".to_owned(), same);
    });
    world.edit("s1", "coffee.py", |doc, by| replace(doc, 2..3, "PRICES = {'espresso': 2, 'latte': 3}", by));
    world.person(|docs| insert(docs.get_mut("tea.py").unwrap(), 0, "# tea, not coffee", &Truth::Person));
    world.look();
    world.score()
}

/// A person renames a file and changes a line of it before anybody looks.
pub fn renamed_and_changed_by_hand() -> Score {
    let mut world = tea();
    world.edit("s1", "tea.py", |doc, by| insert(doc, 1, "import json", by));
    world.person(|docs| {
        let mut doc = docs.remove("tea.py").unwrap();
        replace(&mut doc, 0..1, "import os, re", &Truth::Person);
        docs.insert("shop/teas.py".to_owned(), doc);
    });
    world.ask("s1", "go on");
    world.edit("s1", "shop/teas.py", |doc, by| {
        let end = doc.len();
        insert(doc, end, "# the end", by);
    });
    world.score()
}

/// The agent writes the whole file anew with its write tool; most of it is as it was.
pub fn written_anew() -> Score {
    let mut world = tea();
    world.person(|docs| {
        insert(docs.get_mut("tea.py").unwrap(), 4, "# prices are in euros (me)", &Truth::Person)
    });
    world.edit("s1", "tea.py", |doc, by| {
        replace(doc, 2..3, "PRICES = {'green': 4, 'black': 3, 'white': 7}", by);
        let here = at(doc, "def total");
        insert(doc, here, "def names():\n    return sorted(PRICES)\n\n", by);
        let here = at(doc, "result = 0");
        replace(doc, here..here + 4, "    return sum(price(name) for name in names)", by);
    });
    world.score()
}

/// `black` changes quotes, breaks a line, adds a comma.
pub fn black() -> Score {
    let mut world = tea();
    world.edit("s1", "tea.py", |doc, by| {
        let end = doc.len();
        insert(
            doc,
            end,
            "\n\ndef report(names, currency='EUR', digits=2):\n    return f'{total(names):.2f} {currency}'",
            by,
        );
    });
    world.person(|docs| {
        let doc = docs.get_mut("tea.py").unwrap();
        let here = at(doc, "def total");
        insert(doc, here + 1, "    # me: 'names' may repeat", &Truth::Person);
    });
    world.shell("s1", "black .", |docs, _| {
        let doc = docs.get_mut("tea.py").unwrap();
        let mut out = Vec::new();
        for (line, truth) in doc.drain(..) {
            if line.starts_with("def report") {
                for part in ["def report(", "    names,", "    currency=\"EUR\",", "    digits=2,", "):"] {
                    out.push((part.to_owned(), truth.clone()));
                }
            } else if line.trim_start().starts_with('#') {
                out.push((line, truth));
            } else {
                out.push((line.replace('\'', "\""), truth));
            }
        }
        *doc = out;
    });
    world.score()
}

/// An editor changes only blanks at the ends and the indentation, by hand.
pub fn blanks_by_hand() -> Score {
    let mut world = tea();
    world.edit("s1", "tea.py", |doc, by| {
        let end = doc.len();
        insert(
            doc,
            end,
            "\n\nclass Shop:\n\tdef open(self):\n\t\treturn True   \n\tdef close(self):\n\t\treturn False",
            by,
        );
    });
    world.person(|docs| {
        for (line, _) in docs.get_mut("tea.py").unwrap() {
            *line = line.trim_end().replace('\t', "    ");
        }
    });
    world.look();
    world.person(|docs| {
        let doc = docs.get_mut("tea.py").unwrap();
        let here = at(doc, "class Shop");
        insert(doc, here + 1, "    \"\"\"Mine.\"\"\"", &Truth::Person);
    });
    world.look();
    world.score()
}

/// Two agents edit two files at the same time; each names its own.
pub fn two_editors() -> Score {
    let mut world = tea();
    world.ask("codex-1", "the notes");
    let one = world.begin("s1", "tea.py", Some("tea.py"));
    let two = world.begin("codex-1", "notes/todo.md", Some("notes/todo.md"));
    world.meanwhile(|docs| {
        insert(docs.get_mut("tea.py").unwrap(), 0, "# by claude", &Truth::Step(one));
        insert(docs.get_mut("notes/todo.md").unwrap(), 2, "- by codex", &Truth::Step(two));
    });
    world.end(two, Some("notes/todo.md"));
    world.end(one, Some("tea.py"));
    world.person(|docs| insert(docs.get_mut("notes/todo.md").unwrap(), 3, "- by me", &Truth::Person));
    world.edit("codex-1", "tea.py", |doc, by| insert(doc, 1, "# by codex too", by));
    world.score()
}

/// The agent throws its work away with git: what comes back is whose it was.
pub fn thrown_away_with_git() -> Score {
    let mut world = tea();
    world.person(|docs| insert(docs.get_mut("tea.py").unwrap(), 4, "MARGIN = 2  # me", &Truth::Person));
    world.look();
    let before = world.docs.clone();
    world.edit("s1", "tea.py", |doc, by| replace(doc, 0..6, "# everything new\nimport everything", by));
    world.shell("s1", "git checkout tea.py", |docs, _| *docs = before);
    world.edit("s1", "tea.py", |doc, by| insert(doc, 0, "# again", by));
    world.score()
}

/// A function goes into a class: other place, other indentation.
pub fn moved_and_indented() -> Score {
    let mut world = tea();
    world.edit("s1", "tea.py", |doc, by| {
        let end = doc.len();
        insert(
            doc,
            end,
            "\n\ndef discount_for_members(price, percent):\n    return price - price * percent / 100",
            by,
        );
    });
    world.shell("s1", "python refactor.py", |docs, by| {
        let doc = docs.get_mut("tea.py").unwrap();
        let from = at(doc, "def discount_for_members");
        let moved: Vec<_> =
            doc.drain(from..from + 2).map(|(line, truth)| (format!("    {line}"), truth)).collect();
        doc.truncate(from - 2);
        let here = at(doc, "def price");
        doc.splice(here..here, moved);
        insert(doc, here, "class Members:", by);
    });
    world.score()
}

/// Text becomes something else and text again.
pub fn binary_in_between() -> Score {
    let mut world = tea();
    world.shell("s1", "gzip < tea.py > tea.py.gz && mv tea.py.gz tea.py", |docs, _| {
        docs.insert("tea.py".to_owned(), doc("\u{0}\u{1}packed\u{0}", &Truth::Before));
    });
    world.shell("s1", "python make_anew.py", |docs, by| {
        docs.insert("tea.py".to_owned(), doc("# made anew\nx = 1\n", by));
    });
    world.person(|docs| insert(docs.get_mut("tea.py").unwrap(), 1, "# and mine", &Truth::Person));
    world.look();
    world.score()
}

/// The person commits nothing, types, and takes back with vib what the agent did to three files at once.
pub fn three_files_back() -> Score {
    let mut world =
        World::new(&[("a.txt", "a1\na2\na3\n"), ("b.txt", "b1\nb2\nb3\n"), ("c.txt", "c1\nc2\nc3\n")]);
    world.ask("s1", "everything");
    world.person(|docs| insert(docs.get_mut("b.txt").unwrap(), 1, "b me", &Truth::Person));
    let step = world.shell("s1", "sed -i 's/^/x/' *.txt", |docs, by| {
        for doc in docs.values_mut() {
            for (line, truth) in doc {
                *line = format!("x{line}");
                *truth = by.clone();
            }
        }
    });
    world.edit("s1", "c.txt", |doc, by| {
        insert(doc, 3, "middle", by);
        insert(doc, 4, "c later", by);
    });
    let mut then = world.docs.clone();
    for (name, doc) in &mut then {
        for (line, truth) in doc {
            if let Some(was) = line.strip_prefix('x') {
                *truth = if was == "b me" { Truth::Person } else { Truth::Before };
                *line = was.to_owned();
            }
        }
        assert!(["a.txt", "b.txt", "c.txt"].contains(&name.as_str()));
    }
    // Lines that touch later work are a conflict and stay; here one line lies between.
    if then["c.txt"][2].0 == "c3" {
        then.get_mut("c.txt").unwrap()[2] = world.docs["c.txt"][2].clone();
    }
    let mut kept = then.clone();
    let doc = kept.get_mut("c.txt").unwrap();
    *doc = world.docs["c.txt"].clone();
    // `c.txt` as a whole touches the later lines, so it stays as it is.
    world.undo_as_it_comes(&Target::Step(step), &[then, kept]);
    world.score()
}
