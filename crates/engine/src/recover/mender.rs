//! Putting one thing right in a file while everything else in it stays: from the contents of the steps. (R7)

use std::collections::BTreeSet;

use ::change::merge::{self, Merge, Piece};
use project::RelPath;
use recovery::{Mender, Repair, RepairKind};
use store::{ContentHash, Entry, EntryKind, Passage, Store, WorkingTree};

use super::runs::{self, Lost};
use super::{proof, union};
use crate::Engine;
use crate::diff::content_of;

/// Longer files are left to people.
const LONGEST: u64 = 1 << 20;
/// Lines and letters of a text that is shown.
const MOST_LINES: usize = 40;
const MOST_LETTERS: usize = 2_000;
/// Places of a file that are tried.
const MOST_PIECES: usize = 40;

/// A file as it would be.
#[derive(Debug, Clone)]
pub(super) struct Mended {
    pub(super) path: RelPath,
    pub(super) now: Option<Entry>,
    pub(super) after: Entry,
    pub(super) content: Vec<u8>,
}

/// Computes repairs, and keeps them until one is chosen.
pub(super) struct Workshop<'a> {
    engine: &'a Engine,
    store: &'a Store<'a>,
    working: &'a WorkingTree,
    /// One for each change of the signals.
    passages: &'a [Passage],
    made: Vec<Mended>,
}

impl<'a> Workshop<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        store: &'a Store<'a>,
        working: &'a WorkingTree,
        passages: &'a [Passage],
    ) -> Self {
        Self { engine, store, working, passages, made: Vec::new() }
    }

    pub(super) fn into_made(self) -> Vec<Mended> {
        self.made
    }

    fn text(&self, path: &RelPath, entry: Option<Entry>) -> Option<Vec<u8>> {
        let entry = entry.filter(|entry| entry.kind == EntryKind::File && entry.size <= LONGEST)?;
        let content = content_of(self.engine.project().root(), self.store, path, Some(entry)).ok()?;
        merge::is_text(&content).then_some(content)
    }

    fn now(&self, path: &RelPath) -> Option<Entry> {
        self.store.entry_in(&self.working.view, path.as_bytes()).ok().flatten()
    }

    /// Keeps a content under a number, and says what it changes. None if it changes nothing.
    fn keep(
        &mut self,
        path: &RelPath,
        now: Entry,
        was: &[u8],
        content: Vec<u8>,
        kind: RepairKind,
    ) -> Option<Repair> {
        if content == was || !proof::is_sound(path, was, &content) {
            return None;
        }
        let (added, removed) = counts(was, &content);
        let text = shown(&lines_only_in(&content, was));
        let after = Entry {
            size: content.len() as u64,
            hash: ContentHash::of(&content),
            kind: EntryKind::File,
            ..now
        };
        self.made.push(Mended { path: path.clone(), now: Some(now), after, content });
        Some(Repair { number: self.made.len() - 1, kind, added, removed, text })
    }
}

impl Workshop<'_> {
    /// The runs of lines that earlier steps had put into the file of this change.
    fn put_in_before(&self, change: usize) -> Vec<Vec<u8>> {
        let Some(path) = self.passages.get(change).map(|passage| &passage.path) else { return Vec::new() };
        let earlier = self.passages.iter().take(change).filter(|passage| passage.path == *path);
        let texts = earlier.filter_map(|passage| {
            let before = self.text(path, Some(passage.before?))?;
            Some((before, self.text(path, passage.after)?))
        });
        texts.flat_map(|(before, after)| runs::put_in(&before, &after)).collect()
    }

    /// The lines that define these names in a text that is gone.
    fn lines_of(&self, change: usize, names: &[String]) -> Option<String> {
        let passage = self.passages.get(change)?;
        let before = self.text(&passage.path, passage.before)?;
        let lines: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
        let outline = Outline::of(&passage.path, &before);
        let of_names = outline.symbols.iter().filter(|(name, ..)| names.contains(name));
        let found: Vec<u8> = of_names
            .filter_map(|(_, first, last)| lines.get(first.checked_sub(1)?..*last))
            .flat_map(<[&[u8]]>::concat)
            .collect();
        (!found.is_empty()).then(|| shown(&found))
    }

    /// What these changes did, done once more on what is there now.
    fn merged_again(&mut self, work: &[usize]) -> Option<Repair> {
        let passages: Vec<&Passage> = work.iter().map(|&at| self.passages.get(at)).collect::<Option<_>>()?;
        let path = passages.first()?.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let mut content = was.clone();
        for passage in passages.iter().filter(|passage| passage.path == path) {
            let theirs = self.text(&path, passage.after)?;
            let base = match passage.before {
                Some(before) => self.text(&path, Some(before))?,
                // It was made then: nothing tells where in the present text it would belong.
                None => return None,
            };
            content = union::of(&base, &content, &theirs)?;
        }
        self.keep(&path, now, &was, content, RepairKind::Parts)
    }
}

impl Mender for Workshop<'_> {
    fn take_back(&mut self, changes: &[usize]) -> Option<Repair> {
        let passages: Vec<&Passage> =
            changes.iter().map(|&at| self.passages.get(at)).collect::<Option<_>>()?;
        let path = passages.first()?.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let mut content = was.clone();
        for passage in passages.iter().rev().filter(|passage| passage.path == path) {
            let base = self.text(&path, passage.after)?;
            let theirs = self.text(&path, passage.before)?;
            content = merge::merge(&base, &content, &theirs).clean()?;
        }
        self.keep(&path, now, &was, content, RepairKind::TakeBack)
    }

    fn put_back(&mut self, typed: usize) -> Option<Repair> {
        let passage = self.passages.get(typed)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let base = match passage.before {
            Some(before) => self.text(&path, Some(before))?,
            None => Vec::new(),
        };
        let theirs = self.text(&path, passage.after)?;
        let content = union::of(&base, &was, &theirs)?;
        self.keep(&path, now, &was, content, RepairKind::PutBack)
    }

    fn put_again(&mut self, work: &[usize], taker: usize, names: &[String]) -> Option<Repair> {
        self.merged_again(work)
            .or_else(|| if names.is_empty() { None } else { self.bring_names(taker, names) })
            .or_else(|| self.bring_parts(taker))
    }

    fn beside(&mut self, change: usize) -> Option<Repair> {
        let passage = self.passages.get(change)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let before = self.text(&path, passage.before)?;
        let name = path.to_string();
        for source in recovery::sources(&before) {
            let Some(parts) = recovery::bring_parts(&name, &source, &was) else { continue };
            let content = recovery::without_placeholders(&source, &parts.content);
            // What does not come back would be lost for good: then it is no mending. And where nothing new is left, the old file is meant.
            let lost = solid(&lines_only_in(&source, &was));
            let came = solid(&lines_only_in(&was, &source));
            let back = usize::try_from(parts.count).unwrap_or(usize::MAX);
            let torn = !Lost::of(&self.put_in_before(change), &before, &was).is_whole_in(&content);
            if torn || back.saturating_mul(4) < lost.saturating_sub(came) * 3 || content == before {
                continue;
            }
            if let Some(repair) = self.keep(&path, now, &was, content, RepairKind::Parts) {
                return Some(repair);
            }
        }
        None
    }

    fn bring_parts_with(&mut self, change: usize, names: &[String]) -> Option<Repair> {
        let path = self.passages.get(change)?.path.clone();
        let repair = self.bring_parts(change)?;
        let content = &self.made.get(repair.number)?.content;
        let outline = Outline::of(&path, content);
        names.iter().all(|name| outline.names.contains(name)).then_some(repair)
    }

    fn form(&mut self, change: usize) -> Option<Repair> {
        let passage = self.passages.get(change)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let before = self.text(&path, passage.before)?;
        let content = recovery::bring_form(&path.to_string(), &before, &was)?;
        self.keep(&path, now, &was, content, RepairKind::Form)
    }

    fn bring_names(&mut self, change: usize, names: &[String]) -> Option<Repair> {
        let passage = self.passages.get(change)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let before = self.text(&path, passage.before)?;
        let content = with_names(&path, &before, &was, names)?;
        self.keep(&path, now, &was, content, RepairKind::Names)
    }

    fn finish_rename(&mut self, path: &str, old: &str, new: &str) -> Option<Repair> {
        let path = RelPath::new(path.as_bytes()).ok()?;
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let text = std::str::from_utf8(&was).ok()?;
        let content = renamed(&path.to_string(), text, old, new).into_bytes();
        let (before, after) = (Outline::of(&path, &was), Outline::of(&path, &content));
        if after.broken && !before.broken {
            return None;
        }
        self.keep(&path, now, &was, content, RepairKind::FinishRename)
    }

    fn close(&mut self, change: usize) -> Option<Repair> {
        let passage = self.passages.get(change)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let before = self.text(&path, passage.before)?;
        let content = closed(&path, &before, &was)?;
        self.keep(&path, now, &was, content, RepairKind::Syntax)
    }

    fn bring_parts(&mut self, change: usize) -> Option<Repair> {
        let passage = self.passages.get(change)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let before = self.text(&path, passage.before)?;
        let name = path.to_string();
        // What one request put in as a whole comes back as a whole, or by hand: never a part of it inside something else.
        let lost = Lost::of(&self.put_in_before(change), &before, &was);
        if !lost.is_empty() {
            let content = lost.put_back(&before, &was)?;
            // With it in its place, the rest of what went can be told from what came.
            let rest = recovery::bring_parts(&name, &before, &content).map(|parts| parts.content);
            let own = |text: &Vec<u8>| lost.is_whole_in(text) && runs::are_whole(&before, &was, text);
            let repair = rest
                .filter(own)
                .and_then(|text| self.keep(&path, now, &was, text, RepairKind::Parts))
                .or_else(|| self.keep(&path, now, &was, content, RepairKind::Parts));
            return repair;
        }
        for source in recovery::sources(&before) {
            let Some(parts) = recovery::bring_parts(&name, &source, &was) else { continue };
            if let Some(repair) = self.keep(&path, now, &was, parts.content, RepairKind::Parts) {
                return Some(repair);
            }
        }
        None
    }

    fn line_ends(&mut self, change: usize) -> Option<Repair> {
        let passage = self.passages.get(change)?;
        let path = passage.path.clone();
        let now = self.now(&path)?;
        let was = self.text(&path, Some(now))?;
        let before = self.text(&path, passage.before)?;
        let plain: Vec<u8> = was.iter().copied().filter(|byte| *byte != b'\r').collect();
        let content = if before.windows(2).any(|pair| pair == b"\r\n") {
            plain.split_inclusive(|byte| *byte == b'\n').fold(Vec::new(), |mut out, line| {
                match line.strip_suffix(b"\n") {
                    Some(line) => {
                        out.extend_from_slice(line);
                        out.extend_from_slice(b"\r\n");
                    }
                    None => out.extend_from_slice(line),
                }
                out
            })
        } else {
            plain
        };
        self.keep(&path, now, &was, content, RepairKind::LineEnds)
    }

    fn is_private(&mut self, lines: &str) -> bool {
        !self.engine.gate().clean(lines).counts().is_untouched()
    }

    fn lost_lines_of(&mut self, change: usize, names: &[String]) -> Option<String> {
        self.lines_of(change, names)
    }

    fn lost_lines(&mut self, change: usize) -> Option<String> {
        let passage = self.passages.get(change)?;
        let before = self.text(&passage.path, passage.before)?;
        let now =
            self.now(&passage.path).and_then(|now| self.text(&passage.path, Some(now))).unwrap_or_default();
        let lost = shown(&lines_only_in(&before, &now));
        (!lost.trim().is_empty()).then_some(lost)
    }
}

/// What a grammar says.
struct Outline {
    broken: bool,
    names: BTreeSet<String>,
    symbols: Vec<(String, usize, usize)>,
    known: bool,
}

impl Outline {
    fn of(path: &RelPath, content: &[u8]) -> Self {
        let (language, outline) = map::outline_of_path(path.as_bytes(), content);
        let line = |line: u32| usize::try_from(line).unwrap_or(0);
        let symbols: Vec<(String, usize, usize)> = outline
            .symbols
            .iter()
            .map(|symbol| (symbol.own_name().to_owned(), line(symbol.first_line), line(symbol.last_line)))
            .collect();
        Self {
            broken: outline.syntax_error.is_some(),
            names: symbols.iter().map(|(name, ..)| name.clone()).collect(),
            symbols,
            known: language.is_some() && outline.unread.is_none(),
        }
    }
}

/// The present text with these names as they were.
fn with_names(path: &RelPath, before: &[u8], now: &[u8], names: &[String]) -> Option<Vec<u8>> {
    let present = Outline::of(path, now);
    let is_whole = |text: &Vec<u8>| {
        let new = Outline::of(path, text);
        !new.broken
            && names.iter().all(|name| new.names.contains(name))
            && present.names.is_subset(&new.names)
    };
    beside_neighbours(path, before, now, names)
        .filter(is_whole)
        .or_else(|| at_their_lines(path, before, now, names).filter(is_whole))
}

/// Each after the one that stood before it, or before the one that came next.
fn beside_neighbours(path: &RelPath, before: &[u8], now: &[u8], names: &[String]) -> Option<Vec<u8>> {
    let old = Outline::of(path, before);
    let old_lines: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
    let mut text = now.to_vec();
    let mut lost: Vec<&(String, usize, usize)> =
        old.symbols.iter().filter(|(name, ..)| names.contains(name)).collect();
    lost.sort_by_key(|(_, first, _)| *first);
    for (_, first, last) in lost {
        let is_remark = |line: usize| {
            old_lines.get(line).is_some_and(|text| !text.trim_ascii().is_empty() && is_aside(text))
        };
        let is_blank = |line: usize| old_lines.get(line).is_some_and(|text| text.trim_ascii().is_empty());
        let mut start = first.checked_sub(1)?;
        while start > 0 && is_remark(start - 1) {
            start -= 1;
        }
        let above = (0..start).rev().take_while(|line| is_blank(*line)).count();
        let below = (*last..old_lines.len()).take_while(|line| is_blank(*line)).count();
        let block: Vec<u8> = old_lines.get(start..*last)?.concat();
        let present = Outline::of(path, &text);
        let place = |name: &str| present.symbols.iter().find(|(other, ..)| other == name);
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let earlier = old.symbols.iter().filter(|(_, _, end)| end < first).max_by_key(|(_, _, end)| *end);
        let later =
            old.symbols.iter().filter(|(_, begin, _)| begin > last).min_by_key(|(_, begin, _)| *begin);
        let mut out: Vec<u8> = Vec::with_capacity(text.len() + block.len());
        if let Some((_, _, end)) = earlier.and_then(|(name, ..)| place(name)) {
            out.extend(lines.get(..*end)?.concat());
            if !out.ends_with(b"\n") {
                out.push(b'\n');
            }
            out.extend(std::iter::repeat_n(b'\n', above));
            out.extend(&block);
            out.extend(lines.get(*end..)?.concat());
        } else {
            let (_, begin, _) = later.and_then(|(name, ..)| place(name))?;
            let mut at = begin.checked_sub(1)?;
            while at > 0
                && lines.get(at - 1).is_some_and(|text| !text.trim_ascii().is_empty() && is_aside(text))
            {
                at -= 1;
            }
            out.extend(lines.get(..at)?.concat());
            out.extend(&block);
            out.extend(std::iter::repeat_n(b'\n', below));
            out.extend(lines.get(at..)?.concat());
        }
        text = out;
    }
    Some(text)
}

/// At the lines where they were, beside what came there.
fn at_their_lines(path: &RelPath, before: &[u8], now: &[u8], names: &[String]) -> Option<Vec<u8>> {
    let old = Outline::of(path, before);
    if !old.known {
        return None;
    }
    let wanted: Vec<(usize, usize)> = old
        .symbols
        .iter()
        .filter(|(name, ..)| names.contains(name))
        .map(|(_, first, last)| (first.saturating_sub(1), *last))
        .collect();
    let old_lines: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
    let is_wanted = |line: usize| wanted.iter().any(|(first, last)| (*first..*last).contains(&line));
    let merged = merge::merge(now, now, before);
    let mut out = Vec::with_capacity(before.len().max(now.len()));
    let mut found = false;
    for piece in merged.pieces() {
        let place = piece.place();
        let [_, ours, theirs] = merged.texts(place);
        if matches!(piece, Piece::Theirs(_)) && place.theirs.clone().any(is_wanted) {
            found = true;
            let others: Vec<usize> = place.theirs.clone().filter(|line| !is_wanted(*line)).collect();
            let says_nothing = |line: &usize| old_lines.get(*line).is_some_and(|text| is_aside(text));
            if others.iter().all(says_nothing) {
                out.extend_from_slice(theirs);
            } else {
                for line in place.theirs.clone().filter(|line| is_wanted(*line)) {
                    out.extend_from_slice(old_lines.get(line).copied().unwrap_or_default());
                }
            }
            if !ours.is_empty() && !out.ends_with(b"\n\n") && !ours.starts_with(b"\n") {
                out.push(b'\n');
            }
        }
        out.extend_from_slice(ours);
    }
    found.then_some(out)
}

/// Blank lines, remarks, marks above a function.
fn is_aside(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty()
        || line.starts_with(b"//")
        || line.starts_with(b"#")
        || line.starts_with(b"*")
        || line.starts_with(b"/*")
        || line.starts_with(b"@")
        || line.starts_with(b"\"\"\"")
}

/// The least of the old text that makes the present one readable for its grammar again.
fn closed(path: &RelPath, before: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    if !Outline::of(path, now).broken || Outline::of(path, before).broken {
        return None;
    }
    let merged = merge::merge(now, now, before);
    let places: Vec<usize> = merged
        .pieces()
        .iter()
        .enumerate()
        .filter(|(_, piece)| matches!(piece, Piece::Theirs(_)))
        .map(|(at, _)| at)
        .collect();
    if places.len() > MOST_PIECES {
        return None;
    }
    let old_lines = |at: usize| -> Vec<Vec<u8>> {
        let [_, _, theirs] = merged.texts(merged.pieces()[at].place());
        theirs.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let mut tries: Vec<Vec<u8>> = Vec::new();
    for &at in &places {
        let lines = old_lines(at);
        // One line that went: after what is there now, or before it.
        for line in lines.iter().rev().take(6) {
            tries.push(with_piece(&merged, at, |ours, out| {
                out.extend_from_slice(ours);
                out.extend_from_slice(line);
            }));
            tries.push(with_piece(&merged, at, |ours, out| {
                out.extend_from_slice(line);
                out.extend_from_slice(ours);
            }));
        }
    }
    for &at in &places {
        let lines = old_lines(at).concat();
        tries.push(with_piece(&merged, at, |_, out| out.extend_from_slice(&lines)));
    }
    let present = Outline::of(path, now).names;
    tries.into_iter().find(|text| {
        let outline = Outline::of(path, text);
        // The whole of the old text is no mending.
        !outline.broken
            && text != before
            && (present.is_subset(&outline.names) || present.len() <= outline.names.len())
    })
}

fn with_piece(merged: &Merge, wanted: usize, put: impl Fn(&[u8], &mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, piece) in merged.pieces().iter().enumerate() {
        let [_, ours, _] = merged.texts(piece.place());
        if at == wanted { put(ours, &mut out) } else { out.extend_from_slice(ours) }
    }
    out
}

/// The name as a whole word, outside of quotes and remarks.
fn renamed(path: &str, text: &str, old: &str, new: &str) -> String {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let remark =
        if matches!(ending, "py" | "rb" | "sh" | "toml" | "yaml" | "yml" | "r" | "pl") { "#" } else { "//" };
    let quotes: &[char] = if ending == "rs" { &['"'] } else { &['"', '\''] };
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut inside: Option<char> = None;
        let mut escaped = false;
        let mut before = ' ';
        // In a text like Python's f'…{code}…', what stands in the brackets is code.
        let (mut is_format, mut depth) = (false, 0_usize);
        let mut at = 0;
        while let Some(letter) = line[at..].chars().next() {
            let rest = &line[at..];
            if inside.is_none() && rest.starts_with(remark) {
                out.push_str(rest);
                break;
            }
            if (inside.is_none() || depth > 0)
                && rest.starts_with(old)
                && !is_part(before)
                && !rest[old.len()..].starts_with(is_part)
            {
                out.push_str(new);
                before = 'x';
                at += old.len();
                continue;
            }
            match inside {
                Some(_) if escaped => escaped = false,
                Some(_) if letter == '\\' => escaped = true,
                Some(quote) if letter == quote => (inside, depth) = (None, 0),
                Some(_) if is_format && letter == '{' => depth += 1,
                Some(_) if is_format && letter == '}' => depth = depth.saturating_sub(1),
                None if quotes.contains(&letter) => {
                    inside = Some(letter);
                    is_format = ending == "py" && matches!(before, 'f' | 'F');
                }
                _ => {}
            }
            out.push(letter);
            before = letter;
            at += letter.len_utf8();
        }
    }
    out
}

fn counts(was: &[u8], is: &[u8]) -> (u64, u64) {
    let (mut added, mut removed) = (0, 0);
    for piece in merge::merge(was, is, was).pieces() {
        if matches!(piece, Piece::Ours(_)) {
            let place = piece.place();
            added += place.ours.len() as u64;
            removed += place.base.len() as u64;
        }
    }
    (added, removed)
}

/// Lines of one text that the other does not have.
fn lines_only_in(text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let merged = merge::merge(other, text, other);
    for piece in merged.pieces() {
        if matches!(piece, Piece::Ours(_)) {
            let [_, ours, _] = merged.texts(piece.place());
            out.extend_from_slice(ours);
        }
    }
    out
}

/// Lines with something in them.
fn solid(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n')
        .filter(|line| line.iter().any(u8::is_ascii_alphanumeric) || !line.is_ascii())
        .count()
}

fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut out = String::new();
    for line in text.lines().take(MOST_LINES) {
        if out.len() + line.len() > MOST_LETTERS {
            out.push_str("…\n");
            break;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RelPath {
        RelPath::new(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_lost_function_comes_back_beside_what_is_new_r7() {
        let before = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
        let now = "def a():\n    return 10\n\n\ndef c():\n    return 3\n";
        let mended = with_names(&path("x.py"), before.as_bytes(), now.as_bytes(), &["b".to_owned()]).unwrap();
        let mended = String::from_utf8(mended).unwrap();
        assert!(
            mended.contains("return 10") && mended.contains("def b()") && mended.contains("def c()"),
            "{mended}"
        );
    }

    #[test]
    fn a_lost_function_comes_back_where_it_was_r7() {
        let before = "import re\n\n\ndef words(text):\n    return re.findall(text)\n\n\ndef slug(title):\n    return words(title)\n\n\ndef shorten(text):\n    return text\n";
        let now = before
            .replace("def slug(title):\n    return words(title)\n\n\n", "")
            .replace("import re\n", "import re\n\n\ndef is_blank(text):\n    return not text\n");
        let want = before.replace("import re\n", "import re\n\n\ndef is_blank(text):\n    return not text\n");
        let mended =
            with_names(&path("x.py"), before.as_bytes(), now.as_bytes(), &["slug".to_owned()]).unwrap();
        assert_eq!(String::from_utf8(mended).unwrap(), want);
    }

    #[test]
    fn a_lost_function_of_rust_comes_back_r7() {
        let before = "/// One.\npub fn one(number: u32) -> u32 {\n    number % 7\n}\n\n/// The mean.\npub fn mean(samples: &[f64]) -> f64 {\n    let count = samples.len().max(1);\n    samples.iter().sum::<f64>() / count as f64\n}\n";
        let now = "/// One.\npub fn one(number: u32) -> u32 {\n    number % 9\n}\n";
        let mended =
            with_names(&path("x.rs"), before.as_bytes(), now.as_bytes(), &["mean".to_owned()]).unwrap();
        assert_eq!(String::from_utf8(mended).unwrap(), before.replace("% 7", "% 9"));
    }

    #[test]
    fn a_bracket_that_went_comes_back_and_the_rest_stays_r7() {
        let before = "function a(x) {\n  if (x) {\n    say('old');\n  }\n  return 1;\n}\n";
        let now = "function a(x) {\n  if (x) {\n    say('new');\n  return 1;\n}\n";
        let mended = closed(&path("x.js"), before.as_bytes(), now.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(mended).unwrap(), before.replace("old", "new"));
    }

    #[test]
    fn a_name_is_changed_as_a_whole_word_and_not_in_quotes_or_remarks() {
        let text =
            "import { a } from './a.js';\nconst aa = a(1); // a is good\nconst b = `${a(2)} ${x.a}`;\n";
        assert_eq!(
            renamed("x.js", text, "a", "z"),
            "import { z } from './a.js';\nconst aa = z(1); // a is good\nconst b = `${z(2)} ${x.z}`;\n"
        );
    }
}
