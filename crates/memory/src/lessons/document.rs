//! `LESSONS.md` as text: where the lessons are in it, what is wrong with it, and changes that touch nothing else.

use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::lesson::{id_of, one_line, same};
use super::{Draft, Error, Lesson, Result, Source};

/// What a new file begins with.
const HEADING: &str = "# Lessons\n\nWhat an AI agent should do differently in this project. vib shows the few that fit to the agent, as information.\n\
                       Each block below is one lesson: change it, or delete it, as you like. `\"pinned\": true` keeps a lesson for ever.\n";

/// Something in the file that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, in plain words.
    pub message: String,
}

/// A lesson and where it is.
#[derive(Debug, Clone)]
struct Placed {
    lesson: Lesson,
    /// From the first byte of the opening fence to the end of the closing line.
    block: Range<usize>,
    /// Where the JSON is.
    json: Range<usize>,
}

/// The text of `LESSONS.md` and what is in it.
#[derive(Debug, Clone, Default)]
pub struct Document {
    text: String,
    placed: Vec<Placed>,
    problems: Vec<Problem>,
}

impl Document {
    /// Understands a text as far as it can be understood.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut document = Self::default();
        match std::str::from_utf8(bytes) {
            Ok(text) => document.text = text.to_owned(),
            Err(error) => {
                let line = 1 + words::line_breaks(&bytes[..error.valid_up_to()]);
                document.problems.push(Problem { line, message: "these bytes are no UTF-8 text".to_owned() });
                document.text = String::from_utf8_lossy(bytes).into_owned();
            }
        }
        let (blocks, unclosed) = blocks(&document.text);
        document.problems.extend(unclosed);
        for (block, json) in blocks {
            match understand(&document.text, &json) {
                Ok(mut lesson) => {
                    lesson.line = line_of(&document.text, block.start);
                    let twin = document.placed.iter().find(|other| other.lesson.id == lesson.id);
                    match twin {
                        Some(twin) => document.problems.push(Problem {
                            line: lesson.line,
                            message: format!(
                                "the id `{}` is already used by the lesson at line {}; delete one of the two, or the `id` of one",
                                lesson.id, twin.lesson.line
                            ),
                        }),
                        None => document.placed.push(Placed { lesson, block, json }),
                    }
                }
                Err(problem) => document.problems.push(problem),
            }
        }
        document.problems.sort_by_key(|problem| problem.line);
        document
    }

    /// The lessons that can be understood, in the order of the file.
    pub fn lessons(&self) -> impl Iterator<Item = &Lesson> {
        self.placed.iter().map(|placed| &placed.lesson)
    }

    /// What cannot be understood. While there is something, the file is not written.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The text as it is.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lesson with this id, or with an id that begins so.
    pub fn find(&self, id: &str) -> Result<&Lesson> {
        self.placed_as(id).map(|placed| &placed.lesson)
    }

    /// Adds a lesson at the end, or adds to the one that says the same. `true`: it was there before.
    pub fn add(&self, draft: Draft, today: &str) -> Result<(Self, Lesson, bool)> {
        self.writable()?;
        let draft = draft.checked()?;
        if let Some(known) = self.placed.iter().find(|placed| same(&placed.lesson.text, &draft.text)) {
            let id = known.lesson.id.clone();
            let after = self.joined(&id, &draft)?;
            let lesson = after.find(&id)?.clone();
            return Ok((after, lesson, true));
        }
        let mut id = id_of(&draft.text);
        while self.placed.iter().any(|placed| placed.lesson.id == id) {
            id.push('x');
        }
        let mut text = if self.text.trim().is_empty() { HEADING.to_owned() } else { self.text.clone() };
        let crlf = self.text.contains("\r\n");
        let mut more = String::new();
        if !text.ends_with('\n') {
            more.push('\n');
        }
        more.push_str(&block_of(&id, &draft, today));
        text.push_str(&if crlf { more.replace('\n', "\r\n") } else { more });
        let after = Self::parse(text.as_bytes());
        let lesson = after.find(&id)?.clone();
        Ok((after, lesson, false))
    }

    /// Pins a lesson or takes the pin away.
    pub fn pin(&self, id: &str, pinned: bool) -> Result<(Self, Lesson)> {
        self.writable()?;
        let id = self.find(id)?.id.clone();
        let after = self.with_field(&id, "pinned", if pinned { "true" } else { "false" })?;
        let lesson = after.find(&id)?.clone();
        Ok((after, lesson))
    }

    /// Takes a lesson out, with the empty line before it.
    pub fn remove(&self, id: &str) -> Result<(Self, Lesson)> {
        self.writable()?;
        let placed = self.placed_as(id)?;
        let mut start = placed.block.start;
        let before = &self.text[..start];
        if before.ends_with("\n\r\n") {
            start -= 2;
        } else if before.ends_with("\n\n") {
            start -= 1;
        }
        let text = format!("{}{}", &self.text[..start], &self.text[placed.block.end..]);
        Ok((Self::parse(text.as_bytes()), placed.lesson.clone()))
    }

    fn writable(&self) -> Result<()> {
        self.problems.first().map_or(Ok(()), |problem| Err(Error::Broken(problem.clone())))
    }

    fn placed_as(&self, id: &str) -> Result<&Placed> {
        if let Some(exact) = self.placed.iter().find(|placed| placed.lesson.id == id) {
            return Ok(exact);
        }
        let mut found =
            self.placed.iter().filter(|placed| !id.is_empty() && placed.lesson.id.starts_with(id));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            (Some(_), Some(_)) => Err(Error::Ambiguous(id.to_owned())),
            (None, _) => Err(Error::Unknown(id.to_owned())),
        }
    }

    /// The known lesson with what the draft adds: tools, files, a pin.
    fn joined(&self, id: &str, draft: &Draft) -> Result<Self> {
        let known = self.find(id)?.clone();
        let mut after = self.clone();
        for (name, old, new) in [("tools", &known.tools, &draft.tools), ("paths", &known.paths, &draft.paths)]
        {
            // A lesson without tools is for every tool: naming one now must not make it smaller.
            let more: Vec<&String> = new.iter().filter(|item| !old.contains(item)).collect();
            if !old.is_empty() && !more.is_empty() {
                let all: Vec<&String> = old.iter().chain(more).collect();
                after = after.with_field(id, name, &list(&all))?;
            }
        }
        if draft.pinned && !known.pinned {
            after = after.with_field(id, "pinned", "true")?;
        }
        Ok(after)
    }

    /// The same text with one value of one lesson changed, and not a byte more.
    fn with_field(&self, id: &str, name: &str, value: &str) -> Result<Self> {
        let placed = self.placed_as(id)?;
        let json = &self.text[placed.json.clone()];
        let fields =
            fields(json).map_err(|error| Error::Broken(broken_json(&self.text, &placed.json, &error)))?;
        let known = fields.0.iter().rev().find(|(key, _)| key == name);
        let (range, new) = match (known, fields.0.last()) {
            (Some((_, old)), _) => (place(json, old), value.to_owned()),
            (None, last) => {
                let end =
                    last.map_or(json.find('{').map_or(0, |open| open + 1), |(_, raw)| place(json, raw).end);
                let line_end = if json.contains("\r\n") { "\r\n" } else { "\n" };
                let between =
                    if json.trim().contains('\n') { format!("{line_end}  ") } else { " ".to_owned() };
                let comma = if last.is_some() { "," } else { "" };
                (end..end, format!("{comma}{between}\"{name}\": {value}"))
            }
        };
        let start = placed.json.start;
        let (before, after) = (&self.text[..start + range.start], &self.text[start + range.end..]);
        Ok(Self::parse(format!("{before}{new}{after}").as_bytes()))
    }
}

/// A new block, with an empty line before it.
fn block_of(id: &str, draft: &Draft, today: &str) -> String {
    format!(
        "\n```json\n{{\n  \"id\": {},\n  \"text\": {},\n  \"tools\": {},\n  \"paths\": {},\n  \"words\": [],\n  \"created\": {},\n  \
         \"source\": {},\n  \"pinned\": {},\n  \"weight\": 1\n}}\n```\n",
        quoted(id),
        quoted(&draft.text),
        list(&draft.tools),
        list(&draft.paths),
        quoted(today),
        quoted(draft.source.name()),
        draft.pinned,
    )
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item.as_ref())).collect();
    format!("[{}]", items.join(", "))
}

type Block = (Range<usize>, Range<usize>);

/// Every fenced `json` block: the whole block and what is inside. And those that nobody closed.
fn blocks(text: &str) -> (Vec<Block>, Vec<Problem>) {
    struct Open {
        start: usize,
        inside: usize,
        fence: char,
        length: usize,
        json: bool,
    }
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let never_closed = |open: &Open| Problem {
        line: line_of(text, open.start),
        message: "this block is never closed; put a line with the same marks at its end".to_owned(),
    };
    let mut open: Option<Open> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_start_matches('\u{feff}').trim();
        let Some(fence) = bare.chars().next().filter(|letter| matches!(letter, '`' | '~')) else {
            continue;
        };
        let length = bare.chars().take_while(|letter| *letter == fence).count();
        if length < 3 {
            continue;
        }
        let info = bare.trim_start_matches(fence).trim();
        let json = info.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("json"));
        let fresh = Open { start, inside: at, fence, length, json };
        match open.take() {
            None => open = Some(fresh),
            Some(known) if info.is_empty() && known.fence == fence && length >= known.length => {
                if known.json {
                    found.push((known.start..at, known.inside..start));
                }
            }
            // JSON has no line like this one inside: the block before was meant to end.
            Some(known) if known.json && json => {
                problems.push(never_closed(&known));
                open = Some(fresh);
            }
            Some(known) => open = Some(known),
        }
    }
    // Not only JSON: everything after it is inside of it.
    if let Some(known) = open {
        problems.push(never_closed(&known));
    }
    (found, problems)
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + words::line_breaks(&text.as_bytes()[..offset.min(text.len())])
}

/// The fields of an object, in their order, each as it was typed.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Fields<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("one lesson in braces, `{ … }`")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Fields<'de>, M::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry::<String, &'de RawValue>()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

fn fields(json: &str) -> serde_json::Result<Fields<'_>> {
    serde_json::from_str(json)
}

/// Where a value is in the text it was read from.
fn place(json: &str, value: &RawValue) -> Range<usize> {
    let start = (value.get().as_ptr() as usize).saturating_sub(json.as_ptr() as usize);
    start..start + value.get().len()
}

fn broken_json(text: &str, json: &Range<usize>, error: &serde_json::Error) -> Problem {
    let line = line_of(text, json.start) + error.line().saturating_sub(1);
    let full = error.to_string();
    let what = full.split(" at line ").next().unwrap_or(&full);
    Problem { line, message: format!("this is no valid JSON ({what})") }
}

fn understand(text: &str, range: &Range<usize>) -> Result<Lesson, Problem> {
    let json = &text[range.clone()];
    let fields = fields(json).map_err(|error| broken_json(text, range, &error))?;
    let mut lesson = Lesson {
        id: String::new(),
        text: String::new(),
        tools: Vec::new(),
        paths: Vec::new(),
        words: Vec::new(),
        created: None,
        source: Source::Unknown,
        pinned: false,
        weight: 1.0,
        line: 0,
    };
    for (name, raw) in &fields.0 {
        let wrong = |must: &str| Problem {
            line: line_of(text, range.start + place(json, raw).start),
            message: format!("`{name}` must be {must}"),
        };
        let value: serde_json::Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let string = || value.as_str().map(one_line).ok_or_else(|| wrong("text in quotes"));
        let strings = || match &value {
            serde_json::Value::String(one) => Ok(vec![one_line(one)]),
            serde_json::Value::Array(many) => many
                .iter()
                .map(|item| item.as_str().map(one_line).ok_or_else(|| wrong("a list of words in quotes")))
                .collect(),
            _ => Err(wrong("a list of words in quotes")),
        };
        match name.as_str() {
            "id" => lesson.id = string()?,
            "text" => lesson.text = string()?,
            "tools" => lesson.tools = strings()?,
            "paths" => lesson.paths = strings()?,
            "words" => lesson.words = strings()?,
            "created" => {
                let day = string()?;
                if day.parse::<jiff::civil::Date>().is_err() {
                    return Err(wrong("a day such as \"2026-01-31\""));
                }
                lesson.created = Some(day);
            }
            "source" => lesson.source = Source::parse(&string()?),
            "pinned" => lesson.pinned = value.as_bool().ok_or_else(|| wrong("true or false"))?,
            "weight" => {
                let number = value.as_f64().filter(|number| (0.0..=10.0).contains(number));
                lesson.weight = number.ok_or_else(|| wrong("a number from 0 to 10"))?;
            }
            _ => {}
        }
    }
    if lesson.text.is_empty() {
        let line = line_of(text, range.start);
        return Err(Problem { line, message: "this lesson has no `text`".to_owned() });
    }
    if lesson.id.is_empty() {
        lesson.id = id_of(&lesson.text);
    }
    Ok(lesson)
}
