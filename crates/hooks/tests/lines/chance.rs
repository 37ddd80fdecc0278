//! Stories made up by chance: a person who types between everything, two agents, and all the ways in which a command copies.

use super::truth::{Doc, Docs, Score, Truth, World};

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

    fn one<'o, T: ?Sized>(&mut self, of: &[&'o T]) -> &'o T {
        of[self.below(of.len())]
    }
}

const SESSIONS: [&str; 2] = ["s", "t"];
const VERBS: [&str; 6] = ["load", "store", "print", "count", "merge", "split"];
const THINGS: [&str; 6] = ["orders", "prices", "users", "teas", "bills", "routes"];

pub struct Story {
    pub world: World,
    chance: Chance,
    /// No two lines that anybody types are the same.
    number: usize,
    made: usize,
}

impl Story {
    /// A line that is nowhere else: long, short, or very short.
    fn line(&mut self) -> String {
        self.number += 1;
        let (number, indent) = (self.number, "    ".repeat(self.chance.below(3)));
        let (verb, thing) = (self.chance.one(&VERBS), self.chance.one(&THINGS));
        match self.chance.below(4) {
            0 => format!("{indent}x{number} = 1;"),
            1 => format!("{indent}{verb}({number});"),
            _ => format!("{indent}{verb}_{thing}({number}, \"{thing} of number {number}\");"),
        }
    }

    fn lines(&mut self, truth: &Truth) -> Doc {
        (0..1 + self.chance.below(4)).map(|_| (self.line(), truth.clone())).collect()
    }

    fn some_file(&mut self) -> String {
        let names: Vec<String> =
            self.world.docs.iter().filter(|(_, doc)| doc.len() > 3).map(|(name, _)| name.clone()).collect();
        names[self.chance.below(names.len())].clone()
    }

    /// A name that no file has.
    fn new_file(&mut self) -> String {
        self.made += 1;
        let (folder, made) = (self.chance.one(&["", "src/", "lib/", "src/deep/"]), self.made);
        let _ = std::fs::create_dir_all(self.world.root.join(folder));
        format!("{folder}made{made}.js")
    }

    /// Puts lines in, takes lines out, or both at one place.
    fn change(&mut self, doc: &mut Doc, by: &Truth) {
        let here = self.chance.below(doc.len() + 1);
        let kind = self.chance.below(4);
        if kind > 1 && doc.len() > 8 && here < doc.len() {
            let end = (here + 1 + self.chance.below(2)).min(doc.len());
            doc.drain(here..end);
        }
        let new = self.lines(by);
        let here = here.min(doc.len());
        doc.splice(here..here, new);
    }

    fn person(&mut self) {
        let name = self.some_file();
        let mut doc = self.world.docs[&name].clone();
        self.change(&mut doc, &Truth::Person);
        self.world.person(|docs| {
            docs.insert(name, doc);
        });
    }

    fn session(&mut self) -> &'static str {
        self.chance.one(&SESSIONS)
    }

    /// What a command does to a file in the same breath: nothing, a `sed`, an append.
    fn further(&mut self, file: &str, doc: &mut Doc, by: &Truth) -> String {
        match self.chance.below(4) {
            0 => String::new(),
            1 => {
                let at = self.chance.below(doc.len());
                let new = self.line().trim_start().to_owned();
                doc[at] = (new.clone(), by.clone());
                format!(" && sed -i '{}s|.*|{new}|' {file}", at + 1)
            }
            2 => {
                let new = self.line();
                doc.push((new.clone(), by.clone()));
                format!(" && echo '{new}' >> {file}")
            }
            _ => {
                let (one, two) = (self.line(), self.line());
                doc.push((one.clone(), by.clone()));
                doc.push((two.clone(), by.clone()));
                format!(" && cat >> {file} <<'EOF'\n{one}\n{two}\nEOF")
            }
        }
    }

    /// A command that copies, in one of many ways.
    fn copy(&mut self) -> Option<String> {
        let (from, to) = (self.some_file(), self.new_file());
        let session = self.session();
        let id = Truth::Call(format!("c{}", self.world.calls_so_far() + 1));
        let doc = self.world.docs[&from].clone();
        let root = self.world.root.display().to_string();
        let mut moved = false;
        let mut out = doc.clone();
        let way = self.chance.below(16);
        let mut line = match way {
            0 => format!("cp {from} {to}"),
            1 => format!("cp -p {root}/{from} ./{to}"),
            2 => format!("cat {from} > {to}"),
            3 => format!("cat {from} | tee {to} > /dev/null"),
            4 => format!("install -m 644 {from} {to}"),
            5 => format!("dd if={from} of={to} status=none"),
            6 => {
                moved = true;
                format!("mv {from} {to}")
            }
            7 => format!("python3 -c \"import shutil; shutil.copy('{from}', '{to}')\""),
            8 => {
                let other = self.some_file();
                out.extend(self.world.docs[&other].clone());
                format!("cat {from} {other} > {to}")
            }
            9 => {
                let count = 1 + self.chance.below(doc.len());
                out.truncate(count);
                format!("head -n {count} {from} > {to}")
            }
            10 => {
                let count = 1 + self.chance.below(doc.len());
                out.drain(..doc.len() - count);
                format!("tail -n {count} {from} > {to}")
            }
            11 => {
                let thing = self.chance.one(&THINGS);
                out.retain(|(line, _)| line.contains(thing));
                format!("grep {thing} {from} > {to} || true")
            }
            12 => {
                out.sort_by(|one, other| one.0.cmp(&other.0));
                format!("LC_ALL=C sort {from} > {to}")
            }
            13 => {
                let at = 1 + self.chance.below(doc.len());
                let new = self.line().trim_start().to_owned();
                out[at - 1] = (new.clone(), id.clone());
                format!("sed '{at}s|.*|{new}|' {from} > {to}")
            }
            14 => match from.rsplit_once('/') {
                Some((folder, name)) => format!("cd {folder} && cp {name} {root}/{to} && cd {root}"),
                None => format!("cp -a {from} {to}"),
            },
            _ => {
                // Longer words than the ledger keeps, before the copy.
                let note = "a long explanation of what is done here and why ".repeat(12);
                format!("cat > /dev/null <<'EOF'\n{note}\nEOF\ncp {from} {to}")
            }
        };
        if out.is_empty() {
            return None;
        }
        line += &self.further(&to, &mut out, &id);
        let ran = self.world.shell(session, &line, true, |docs, _| {
            if moved {
                docs.remove(&from);
            }
            docs.insert(to, out);
        });
        Some(ran)
    }

    /// A command that appends one file to another, or its own words.
    fn append(&mut self) -> String {
        let (from, to) = (self.some_file(), self.some_file());
        let session = self.session();
        let id = Truth::Call(format!("c{}", self.world.calls_so_far() + 1));
        let mut out = self.world.docs[&to].clone();
        let line = match self.chance.below(3) {
            0 if from != to => {
                out.extend(self.world.docs[&from].clone());
                format!("cat {from} >> {to}")
            }
            1 => {
                // What a person typed is typed again.
                let repeated =
                    self.world.docs[&from].iter().find(|(_, truth)| *truth == Truth::Person).cloned();
                let new = repeated.map_or_else(|| self.line(), |(line, _)| line);
                let Truth::Call(call) = &id else { unreachable!() };
                out.push((new.clone(), Truth::Repeated(call.clone())));
                format!("cat >> {to} <<'EOF'\n{new}\nEOF")
            }
            _ => {
                let new = self.line();
                out.push((new.clone(), id.clone()));
                format!("echo '{new}' >> {to}")
            }
        };
        self.world.shell(session, &line, true, |docs, _| {
            docs.insert(to, out);
        })
    }

    /// A formatter, alone or before a copy: blanks, quotes and semicolons are different, and no words.
    fn format(&mut self) {
        let (from, to) = (self.some_file(), self.new_file());
        let session = self.session();
        let formatted: Doc = self.world.docs[&from]
            .iter()
            .map(|(line, truth)| {
                let blanks = line.len() - line.trim_start().len();
                let wide = if blanks.is_multiple_of(4) { blanks / 2 } else { blanks * 2 };
                let words = line.trim_start().trim_end_matches(';').replace('"', "'");
                (format!("{}{words}", " ".repeat(wide)), truth.clone())
            })
            .collect();
        let kind = self.chance.below(3);
        let line = match kind {
            0 => format!("npx prettier --write {from}"),
            1 => format!("npx prettier --write {from} && cp {from} {to}"),
            _ => format!("mv {from} {to} && npx prettier --write {to}"),
        };
        self.world.shell(session, &line, false, |docs, _| match kind {
            0 => {
                docs.insert(from, formatted);
            }
            1 => {
                docs.insert(from, formatted.clone());
                docs.insert(to, formatted);
            }
            _ => {
                docs.remove(&from);
                docs.insert(to, formatted);
            }
        });
    }

    /// A command that puts the lines of a file into another order, and types nothing.
    fn reorder(&mut self) -> String {
        let (name, session) = (self.some_file(), self.session());
        let mut doc = self.world.docs[&name].clone();
        let sort = |doc: &mut Doc| doc.sort_by(|one, other| one.0.cmp(&other.0));
        let line = match self.chance.below(7) {
            0 => {
                sort(&mut doc);
                format!("LC_ALL=C sort -o {name} {name}")
            }
            1 => {
                sort(&mut doc);
                format!("LC_ALL=C sort -u {name} -o {name}")
            }
            2 => {
                sort(&mut doc);
                format!("LC_ALL=C sort {name} > t.tmp && mv t.tmp {name}")
            }
            3 => {
                doc.reverse();
                format!("tac {name} > t.tmp; mv t.tmp {name}")
            }
            4 => {
                let second = doc.remove(1);
                doc.push(second);
                format!("sed -i '2{{h;d}};$G' {name}")
            }
            5 => {
                doc.rotate_left(3);
                format!("(tail -n +4 {name}; head -n 3 {name}) > t.tmp && cat t.tmp > {name} && rm t.tmp")
            }
            _ => {
                sort(&mut doc);
                format!("python3 -c \"l=sorted(open('{name}'));open('{name}','w').writelines(l)\"")
            }
        };
        // `sort -u` leaves one of two that are the same.
        if line.contains("-u ") {
            doc.dedup_by(|one, other| one.0 == other.0);
        }
        self.world.shell(session, &line, true, |docs, _| drop(docs.insert(name, doc)))
    }

    /// An edit tool that only swaps two lines.
    fn swap(&mut self) -> String {
        let (name, session) = (self.some_file(), self.session());
        let mut doc = self.world.docs[&name].clone();
        let at = self.chance.below(doc.len() - 1);
        doc.swap(at, at + 1);
        self.world.edit(session, &name, |there, _| *there = doc)
    }

    /// A command that changes lines and leaves most of each.
    fn rewrite(&mut self) -> String {
        let (name, session) = (self.some_file(), self.session());
        let mut doc = self.world.docs[&name].clone();
        let id = Truth::Call(format!("c{}", self.world.calls_so_far() + 1));
        let at = self.chance.below(doc.len());
        let changed = match &doc[at].1 {
            Truth::Person | Truth::Changed | Truth::Meanwhile => Truth::Changed,
            Truth::Program(_) | Truth::Worked => Truth::Worked,
            _ => id,
        };
        doc[at] = (format!("// {}", doc[at].0), changed);
        let line = format!("sed -i '{}s|^|// |' {name}", at + 1);
        self.world.shell(session, &line, true, |docs, _| drop(docs.insert(name, doc)))
    }

    /// A program that changes many files: with its text in the command, or one that nobody can read, while a person types.
    fn program(&mut self) -> String {
        let session = self.session();
        let mut docs = self.world.docs.clone();
        let call = format!("c{}", self.world.calls_so_far() + 1);
        let is_read = self.chance.below(3) == 0;
        let truth = if is_read { Truth::Call(call) } else { Truth::Program(call) };
        for doc in docs.values_mut() {
            if self.chance.below(2) == 0 {
                self.change(doc, &truth);
            }
        }
        let line = if is_read {
            let new = docs.values().flatten().filter(|(_, by)| *by == truth);
            let puts: Vec<String> = new.map(|(line, _)| format!("put(`{line}`)")).collect();
            format!("node - <<'EOF'\n{}\nEOF", puts.join("\n"))
        } else {
            let name = self.some_file();
            if self.chance.below(2) == 0 {
                let mut doc = docs[&name].clone();
                let here = self.chance.below(doc.len() + 1);
                let typed = self.lines(&Truth::Meanwhile);
                doc.splice(here..here, typed);
                docs.insert(name, doc);
            }
            "node change.js".to_owned()
        };
        self.world.shell(session, &line, false, |there, _| *there = docs)
    }

    /// A folder, or many files at once.
    fn copy_many(&mut self) {
        self.made += 1;
        let (session, made) = (self.session(), self.made);
        let src = |docs: &Docs| -> Vec<(String, Doc)> {
            let inside =
                docs.iter().filter(|(name, _)| name.starts_with("src/") && name.matches('/').count() == 1);
            inside.map(|(name, doc)| (name.clone(), doc.clone())).collect()
        };
        if src(&self.world.docs).is_empty() {
            return;
        }
        let deep = self.world.docs.keys().any(|name| name.starts_with("src/deep/"));
        let copied = |docs: &mut Docs, whole: bool| {
            let all: Vec<(String, Doc)> = if whole {
                let inside = docs.iter().filter(|(name, _)| name.starts_with("src/"));
                inside.map(|(name, doc)| (name.clone(), doc.clone())).collect()
            } else {
                src(docs)
            };
            for (name, doc) in all {
                docs.insert(name.replacen("src", &format!("copy{made}"), 1), doc);
            }
        };
        if deep || self.chance.below(2) == 0 {
            self.world.shell(session, &format!("cp -r src copy{made}"), true, |docs, _| copied(docs, true));
        } else {
            let line = format!("mkdir -p copy{made} && cp src/*.js copy{made}/");
            self.world.shell(session, &line, true, |docs, _| copied(docs, false));
        }
    }

    fn live(seed: u64) -> Self {
        let mut story =
            Self { world: World::new(Docs::new()), chance: Chance::new(seed), number: 0, made: 0 };
        let mut docs = Docs::new();
        for name in ["a.js", "src/b.js", "src/c.js"] {
            let doc = (0..10 + story.chance.below(12)).map(|_| (story.line(), Truth::Before)).collect();
            docs.insert(name.to_owned(), doc);
        }
        story.world = World::new(docs);
        let mut last: Option<(String, Docs)> = None;
        for _ in 0..18 + story.chance.below(12) {
            // A person types when nobody looks, most of all right before a command.
            if story.chance.below(2) == 0 {
                story.person();
                last = None;
            }
            if story.world.docs.len() > 24 {
                break;
            }
            let before = story.world.docs.clone();
            let step = match story.chance.below(18) {
                0 => {
                    let session = story.session();
                    story.world.ask(session, "go on");
                    None
                }
                1 | 2 => {
                    let (session, name) = (story.session(), story.some_file());
                    let mut doc = story.world.docs[&name].clone();
                    let id = Truth::Call(format!("c{}", story.world.calls_so_far() + 1));
                    story.change(&mut doc, &id);
                    Some(story.world.edit(session, &name, |there, _| *there = doc))
                }
                3 => {
                    let (session, name) = (story.session(), story.some_file());
                    let mut doc = story.world.docs[&name].clone();
                    let id = Truth::Call(format!("c{}", story.world.calls_so_far() + 1));
                    let more = story.further(&name, &mut doc, &id);
                    let line = format!("true{more}");
                    (!more.is_empty()).then(|| {
                        story.world.shell(session, &line, true, |docs, _| drop(docs.insert(name, doc)))
                    })
                }
                4 => Some(story.program()),
                5 => Some(story.append()),
                6 => {
                    story.format();
                    None
                }
                7 => {
                    story.copy_many();
                    None
                }
                8 | 9 => {
                    if let Some((call, then)) = last.take() {
                        let after = story.world.docs.clone();
                        story.world.undo(Some(&call), then);
                        if story.chance.below(2) == 0 {
                            story.world.undo(None, after);
                        }
                    }
                    None
                }
                10 | 11 => Some(story.reorder()),
                12 => Some(story.swap()),
                13 => Some(story.rewrite()),
                _ => story.copy(),
            };
            last = step.filter(|_| before != story.world.docs).map(|call| (call, before));
        }
        if story.chance.below(2) == 0 {
            story.person();
        }
        story
    }
}

/// The story, and the same after half a year of thinning.
pub fn scores(seed: u64) -> [Score; 3] {
    let mut story = Story::live(seed);
    let steps = story.world.steps();
    let told = |score: &mut Score, story: &Story| {
        if !score.stolen.is_empty() || !score.wrong.is_empty() {
            println!("seed {seed}:\n  {}", story.world.story.join("\n  "));
            score.stolen.iter().for_each(|line| println!("  STOLEN {line}"));
            score.wrong.iter().for_each(|line| println!("  wrong {line}"));
        }
    };
    let mut now = story.world.score(&steps);
    told(&mut now, &story);
    story.world.thin(60);
    let mut thinned = story.world.score(&steps);
    told(&mut thinned, &story);
    story.world.thin(200);
    let mut late = story.world.score(&steps);
    told(&mut late, &story);
    [now, thinned, late]
}
