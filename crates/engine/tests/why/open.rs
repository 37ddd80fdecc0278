//! Stories that were looked at while the code was written.

use engine::undo::Target;
use vib_engine as engine;

use super::world::{Score, Truth, World, at, doc, insert, replace};

const SHOP: &str = "\
// The shop.
export function total(items) {
    let sum = 0;
    for (const item of items) {
        sum += item.price;
    }
    return sum;
}

export function empty(items) {
    return items.length === 0;
}
";

fn shop() -> World {
    let mut world = World::new(&[("src/shop.js", SHOP), ("README.md", "# A shop\n\nIt sells tea.\n")]);
    world.ask("s1", "make the shop better");
    world
}

/// An edit in the middle, one at the end, one at the beginning.
pub fn edits() -> Score {
    let mut world = shop();
    world.edit("s1", "src/shop.js", |doc, by| {
        replace(doc, 4..5, "        sum += item.price * item.count;", by)
    });
    world.edit("s1", "src/shop.js", |doc, by| {
        let end = doc.len();
        insert(doc, end, "\nexport function first(items) {\n    return items[0];\n}", by);
    });
    world.edit("s1", "src/shop.js", |doc, by| insert(doc, 0, "'use strict';", by));
    world.score()
}

/// A command changes two files, another makes one.
pub fn shell() -> Score {
    let mut world = shop();
    world.shell("s1", "sed -i s/sum/total/ src/shop.js README.md", |docs, by| {
        for (line, truth) in docs.get_mut("src/shop.js").unwrap() {
            if line.contains("sum") {
                *line = line.replace("sum", "total");
                *truth = by.clone();
            }
        }
        replace(docs.get_mut("README.md").unwrap(), 2..3, "It sells green tea.", by);
    });
    world.shell("s1", "node make-prices.js", |docs, by| {
        docs.insert("prices.txt".to_owned(), doc("green 4\nblack 3\noolong 9\n", by));
    });
    world.score()
}

/// A person types between two steps of an agent, and around its lines.
pub fn person_in_between() -> Score {
    let mut world = shop();
    world.edit("s1", "src/shop.js", |doc, by| {
        insert(doc, 9, "// by the agent, one\n// by the agent, two", by)
    });
    world.person(|docs| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        let here = at(doc, "agent, two");
        insert(doc, here, "// by me, in the middle", &Truth::Person);
        insert(doc, 0, "// by me, at the top", &Truth::Person);
    });
    world.edit("s1", "src/shop.js", |doc, by| {
        let end = doc.len();
        insert(doc, end, "// by the agent, at the end", by);
    });
    world.person(|docs| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        let here = at(doc, "agent, one");
        replace(doc, here..here + 1, "// by me, instead of the agent's", &Truth::Person);
    });
    let unsaved = world.score();
    world.look();
    let mut score = world.score();
    score.add(unsaved);
    score
}

/// A file gets another name, then another folder, and is edited in between.
pub fn moved_file() -> Score {
    let mut world = shop();
    world.edit("s1", "src/shop.js", |doc, by| insert(doc, 1, "// the first edit", by));
    world.person(|docs| insert(docs.get_mut("src/shop.js").unwrap(), 2, "// typed by me", &Truth::Person));
    world.shell("s1", "git mv src/shop.js src/store.js", |docs, _| {
        let doc = docs.remove("src/shop.js").unwrap();
        docs.insert("src/store.js".to_owned(), doc);
    });
    world.edit("s1", "src/store.js", |doc, by| insert(doc, 3, "// the second edit", by));
    world.shell("s1", "mkdir lib && mv src/store.js lib/store.js", |docs, _| {
        let doc = docs.remove("src/store.js").unwrap();
        docs.insert("lib/store.js".to_owned(), doc);
    });
    world.score()
}

/// A formatter indents with two blanks and breaks a long line.
pub fn formatter() -> Score {
    let mut world = shop();
    world.edit("s1", "src/shop.js", |doc, by| {
        let end = doc.len();
        insert(doc, end, "export const names = [first(), second(), third(), fourth(), fifth()];", by);
    });
    world.person(|docs| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        insert(doc, 2, "    // me: why a loop?", &Truth::Person);
    });
    world.shell("s1", "npx prettier --write src", |docs, _| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        let mut out = Vec::new();
        for (line, truth) in doc.drain(..) {
            if line.starts_with("export const names") {
                for part in [
                    "export const names = [",
                    "  first(),",
                    "  second(),",
                    "  third(),",
                    "  fourth(),",
                    "  fifth(),",
                    "];",
                ] {
                    out.push((part.to_owned(), truth.clone()));
                }
                continue;
            }
            let blanks = line.len() - line.trim_start().len();
            out.push((format!("{}{}", " ".repeat(blanks / 2), line.trim_start()), truth));
        }
        *doc = out;
    });
    world.score()
}

/// A function goes to another place of its file, and to another file.
pub fn moved_lines() -> Score {
    let mut world = shop();
    world.edit("s1", "src/shop.js", |doc, by| {
        let end = doc.len();
        insert(
            doc,
            end,
            "\nexport function discount(price, percent) {\n    return price - price * percent / 100;\n}",
            by,
        );
    });
    world.shell("s1", "node move-function.js", |docs, _| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        let from = at(doc, "function discount");
        let moved: Vec<_> = doc.drain(from..from + 3).collect();
        doc.splice(1..1, moved);
    });
    world.shell("s1", "node split.js", |docs, by| {
        let shop = docs.get_mut("src/shop.js").unwrap();
        let from = at(shop, "function total");
        let moved: Vec<_> = shop.drain(from..from + 7).collect();
        insert(shop, 0, "import { total } from './total.js';", by);
        docs.insert("src/total.js".to_owned(), moved);
    });
    world.score()
}

/// Taken back and brought again: the lines are those of their first writers.
pub fn undo_redo() -> Score {
    let mut world = shop();
    world.person(|docs| insert(docs.get_mut("src/shop.js").unwrap(), 1, "// typed by me", &Truth::Person));
    world.look();
    let before = world.docs.clone();
    let step = world.edit("s1", "src/shop.js", |doc, by| {
        let here = at(doc, "typed by me");
        replace(doc, here..here + 1, "// the agent knows better", by);
        let end = doc.len();
        insert(doc, end, "// and adds this", by);
    });
    let after = world.docs.clone();
    world.undo(&Target::Step(step), before);
    let mut score = world.score();
    world.undo(&Target::Redo, after);
    score.add(world.score());
    score
}

/// Only one of two steps is taken back; later work stays.
pub fn undo_of_one_among_others() -> Score {
    let mut world = shop();
    let step = world.edit("s1", "src/shop.js", |doc, by| {
        replace(doc, 2..3, "    let sum = 0; // euros", by);
        replace(doc, 0..1, "// The best shop.", by);
    });
    world.edit("s1", "src/shop.js", |doc, by| {
        let end = doc.len();
        insert(doc, end, "// later work", by);
    });
    world.person(|docs| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        let here = at(doc, "function empty");
        insert(doc, here, "// me again", &Truth::Person);
    });
    world.look();
    let mut then = world.docs.clone();
    let doc = then.get_mut("src/shop.js").unwrap();
    doc[0] = ("// The shop.".to_owned(), Truth::Before);
    doc[2] = ("    let sum = 0;".to_owned(), Truth::Before);
    world.undo(&Target::Step(step), then);
    world.score()
}

/// Two agents with commands that run at the same time: what cannot be split says so.
pub fn two_agents() -> Score {
    let mut world = shop();
    world.ask("codex-1", "translate it");
    let one = world.begin("s1", "npm run generate", None);
    let two = world.begin("codex-1", "python translate.py", None);
    world.meanwhile(|docs| {
        let both = Truth::OneOf(vec![one, two]);
        docs.insert("out.txt".to_owned(), doc("made by one\nof the two\n", &both));
        insert(docs.get_mut("README.md").unwrap(), 1, "Generated, or translated.", &both);
    });
    world.end(one, None);
    world.end(two, None);
    world.edit("codex-1", "README.md", |doc, by| {
        let end = doc.len();
        insert(doc, end, "By codex alone.", by);
    });
    world.edit("s1", "out.txt", |doc, by| insert(doc, 1, "by claude alone", by));
    world.score()
}

/// Duplicate lines: what is equal to a neighbour belongs to the block it came with.
pub fn equal_neighbours() -> Score {
    let mut world = shop();
    world.edit("s1", "src/shop.js", |doc, by| {
        let here = at(doc, "function empty");
        insert(doc, here, "export function last(items) {\n    return items[items.length - 1];\n}\n", by);
    });
    world.person(|docs| {
        let doc = docs.get_mut("src/shop.js").unwrap();
        let end = doc.len();
        insert(doc, end, "\nexport function count(items) {\n    return items.length;\n}", &Truth::Person);
    });
    world.look();
    world.edit("s1", "src/shop.js", |doc, by| {
        let here = at(doc, "function count");
        insert(doc, here, "export function none() {\n    return [];\n}\n", by);
    });
    world.score()
}
