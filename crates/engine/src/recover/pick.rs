//! Choosing: which files of a way are carried out, and which places of a file. (R14)

use std::collections::BTreeSet;
use std::ops::Range;

use ::change::merge::{self, Merge, Piece};
use serde::Serialize;
use store::{ContentHash, Difference, Entry, EntryKind, Plan, Store};

use crate::diff::content_of;
use crate::{Engine, Error, Result};

/// Longer files are taken or left as a whole.
const LONGEST: u64 = 1 << 20;
/// Files and places that are listed to be chosen from.
const MOST_FILES: usize = 200;
const MOST_PLACES: usize = 100;
/// Letters of a line that are shown.
const SHOWN: usize = 100;

/// What a person chose of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// The file.
    pub path: String,
    /// Places of it, counted from 1; none: all of it.
    pub places: Option<BTreeSet<usize>>,
}

/// A file that can be chosen, with its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choosable {
    /// The file.
    pub path: String,
    /// Where it would be changed; empty: only as a whole.
    pub places: Vec<ChoosablePlace>,
}

/// One place of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChoosablePlace {
    /// The line of the present file, counted from 1.
    pub line: usize,
    /// The first line that goes; none: nothing goes.
    pub goes: Option<String>,
    /// The first line that comes.
    pub comes: Option<String>,
}

impl Pick {
    /// From words of a form: `src/a.js` is the file, `src/a.js#2` its second place. A file that is named as a whole is meant whole.
    pub fn of_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<Self> {
        let mut picks: Vec<Self> = Vec::new();
        for word in words.into_iter().filter(|word| !word.is_empty()) {
            let place = word.rsplit_once('#').and_then(|(path, number)| Some((path, number.parse().ok()?)));
            let (path, place) = place.map_or((word, None), |(path, place)| (path, Some(place)));
            add(&mut picks, path, place);
        }
        picks
    }

    /// From the numbers of a list: `2` is the second file, `2.1` its first place.
    pub fn of_numbers(line: &str, list: &[Choosable]) -> Result<Vec<Self>> {
        let mut picks: Vec<Self> = Vec::new();
        for word in line.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
            let unknown = || Error::Usage(format!("`{word}` is no number of the list"));
            let (file, place) =
                word.split_once('.').map_or((word, None), |(file, place)| (file, Some(place)));
            let file = file.parse::<usize>().ok().and_then(|number| list.get(number.checked_sub(1)?));
            let file = file.ok_or_else(unknown)?;
            let place = match place {
                None => None,
                Some(place) => {
                    let known = |number: &usize| (1..=file.places.len()).contains(number);
                    Some(place.parse().ok().filter(known).ok_or_else(unknown)?)
                }
            };
            add(&mut picks, &file.path, place);
        }
        Ok(picks)
    }
}

fn add(picks: &mut Vec<Pick>, path: &str, place: Option<usize>) {
    let places = place.map(|place| BTreeSet::from([place]));
    match picks.iter_mut().find(|pick| pick.path == path) {
        None => picks.push(Pick { path: path.to_owned(), places }),
        Some(known) => match (&mut known.places, places) {
            (Some(known), Some(more)) => known.extend(more),
            (known, _) => *known = None,
        },
    }
}

/// What there is to choose from.
pub(super) fn choosable(engine: &Engine, store: &Store<'_>, plan: &Plan) -> Vec<Choosable> {
    let files = plan.changes.iter().filter(|change| !is_folder(change)).take(MOST_FILES);
    files
        .map(|change| {
            let merged = merged(engine, store, change);
            let places = merged.as_ref().map(places).unwrap_or_default();
            let describe = |merged: &Merge, at: usize| {
                let place = merged.pieces()[at].place();
                let [_, ours, theirs] = merged.texts(place);
                ChoosablePlace {
                    line: place.ours.start + 1,
                    goes: first_line(ours),
                    comes: first_line(theirs),
                }
            };
            let many = places.len() > 1 && places.len() <= MOST_PLACES;
            let places = match &merged {
                Some(merged) if many => places.iter().map(|&at| describe(merged, at)).collect(),
                _ => Vec::new(),
            };
            Choosable { path: change.path.to_string(), places }
        })
        .collect()
}

/// Leaves what was chosen. Contents that are new with it are added to `contents`.
pub(super) fn narrow(
    engine: &Engine,
    store: &Store<'_>,
    picks: &[Pick],
    plan: &mut Plan,
    contents: &mut Vec<Vec<u8>>,
) {
    if picks.is_empty() {
        return;
    }
    let all = std::mem::take(&mut plan.changes);
    let mut left: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut kept: Vec<Difference> = Vec::new();
    // What lies in a folder that becomes a file or a link goes with it.
    let whole = |change: &Difference| {
        let is_dir = |entry: Option<Entry>| entry.is_some_and(|entry| entry.kind == EntryKind::Dir);
        is_dir(change.before) && change.after.is_some_and(|after| after.kind != EntryKind::Dir)
    };
    let chosen_wholes: Vec<&Difference> = all
        .iter()
        .filter(|change| whole(change) && picks.iter().any(|pick| pick.path == change.path.to_string()))
        .collect();
    for change in all.iter().filter(|change| !is_folder(change)) {
        let path = change.path.to_string();
        let inside = chosen_wholes.iter().any(|folder| change.path.is_in(&folder.path));
        let pick = picks.iter().find(|pick| pick.path == path);
        match pick {
            _ if inside => kept.push(change.clone()),
            Some(Pick { places: None, .. }) => kept.push(change.clone()),
            Some(Pick { places: Some(chosen), .. }) => {
                if let Some((change, content)) = part(engine, store, change, chosen) {
                    store.hold(content.clone());
                    contents.push(content);
                    kept.push(change);
                }
            }
            None => {
                left.insert(change.path.as_bytes().to_vec());
            }
        }
    }
    let within =
        |folder: &[u8], path: &[u8]| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"));
    for change in all.iter().filter(|change| is_folder(change)) {
        let folder = change.path.as_bytes();
        let comes = change.before.is_none();
        let needed = kept.iter().any(|file| within(folder, file.path.as_bytes()));
        let empties = !left.iter().any(|path| within(folder, path));
        if needed && (comes || empties) {
            kept.push(change.clone());
        }
    }
    kept.sort_by(|a, b| a.path.cmp(&b.path));
    plan.changes = kept;
}

/// A folder that comes or goes, and nothing else.
fn is_folder(change: &Difference) -> bool {
    let is_dir = |entry: Option<Entry>| entry.is_none_or(|entry| entry.kind == EntryKind::Dir);
    is_dir(change.before) && is_dir(change.after)
}

/// The file with these places as they would be, and everything else as it is.
fn part(
    engine: &Engine,
    store: &Store<'_>,
    change: &Difference,
    chosen: &BTreeSet<usize>,
) -> Option<(Difference, Vec<u8>)> {
    let merged = merged(engine, store, change)?;
    let places = places(&merged);
    let wanted: BTreeSet<usize> =
        chosen.iter().filter_map(|number| places.get(number.checked_sub(1)?)).copied().collect();
    let mut content = Vec::new();
    for (at, piece) in merged.pieces().iter().enumerate() {
        let [_, ours, theirs] = merged.texts(piece.place());
        content.extend_from_slice(if wanted.contains(&at) { theirs } else { ours });
    }
    let after = change.after?;
    let after = Entry { size: content.len() as u64, hash: ContentHash::of(&content), ..after };
    let is_changed = !wanted.is_empty() && change.before.is_none_or(|before| !before.same_on_disk(&after));
    is_changed.then(|| (Difference { after: Some(after), ..change.clone() }, content))
}

/// The present text and the one that would come, piece by piece; none where only the whole can be taken.
fn merged(engine: &Engine, store: &Store<'_>, change: &Difference) -> Option<Merge> {
    let text = |entry: Option<Entry>| {
        let entry = entry.filter(|entry| entry.kind == EntryKind::File && entry.size <= LONGEST)?;
        let content = content_of(engine.project().root(), store, &change.path, Some(entry)).ok()?;
        merge::is_text(&content).then_some(content)
    };
    let (now, then) = (text(change.before)?, text(change.after)?);
    Some(merge::merge(&now, &now, &then))
}

/// Pieces that would be changed.
fn places(merged: &Merge) -> Vec<usize> {
    let range: Range<usize> = 0..merged.pieces().len();
    range.filter(|&at| matches!(merged.pieces()[at], Piece::Theirs(_))).collect()
}

fn first_line(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let line = lines.find(|line| !line.trim().is_empty()).or_else(|| text.lines().next())?;
    Some(line.trim_end().chars().take(SHOWN).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Vec<Choosable> {
        let place = |line| ChoosablePlace { line, goes: None, comes: None };
        vec![
            Choosable { path: "a.js".to_owned(), places: vec![place(1), place(9)] },
            Choosable { path: "b.js".to_owned(), places: Vec::new() },
        ]
    }

    #[test]
    fn numbers_name_files_and_places_r14() {
        let picks = Pick::of_numbers("1.2, 2", &list()).unwrap();
        assert_eq!(picks[0], Pick { path: "a.js".to_owned(), places: Some(BTreeSet::from([2])) });
        assert_eq!(picks[1], Pick { path: "b.js".to_owned(), places: None });
        for wrong in ["3", "0", "1.3", "2.1", "x", "1.0"] {
            assert!(Pick::of_numbers(wrong, &list()).is_err(), "{wrong}");
        }
        assert_eq!(Pick::of_numbers("1.1 1", &list()).unwrap()[0].places, None, "the whole file is more");
    }

    #[test]
    fn words_of_a_form_name_files_and_places_r14() {
        let picks = Pick::of_words(["a.js#1", "a.js#2", "odd#name.txt", ""]);
        assert_eq!(picks[0], Pick { path: "a.js".to_owned(), places: Some(BTreeSet::from([1, 2])) });
        assert_eq!(picks[1], Pick { path: "odd#name.txt".to_owned(), places: None });
    }
}
