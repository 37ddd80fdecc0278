//! The ignore rules of an earlier moment: what did the look of then leave out? Nothing that it left out may be called new now, and going
//! back to it never removes what it did not see. (S16)

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::Gitignore;
use project::platform;

use super::rules::{self, IGNORE_FILES, Rules};
use crate::{EntryKind, Result, Store, versions};

/// The ignore files of one folder.
type Matchers = Rc<[Option<Gitignore>; 3]>;

/// The rules as they were at a checkpoint.
pub(crate) struct PastRules<'s> {
    store: &'s Store<'s>,
    seq: i64,
    rules: Rules,
    folders: RefCell<HashMap<Vec<u8>, Matchers>>,
    /// What the look of then had no time for. (S8)
    not_yet: Vec<Vec<u8>>,
}

/// True if the path is one of these or lies below one.
pub(crate) fn is_among(places: &[Vec<u8>], path: &[u8]) -> bool {
    places.iter().any(|place| match path.strip_prefix(place.as_slice()) {
        Some(rest) => rest.is_empty() || place.is_empty() || rest.starts_with(b"/"),
        None => false,
    })
}

impl<'s> PastRules<'s> {
    /// `rules`: what was written down with the checkpoint, or what holds now where nothing was.
    pub(crate) fn new(store: &'s Store<'s>, seq: i64, rules: Rules, not_yet: Vec<Vec<u8>>) -> Self {
        Self { store, seq, rules, folders: RefCell::default(), not_yet }
    }

    /// True if a walk of then would have passed this path by.
    pub(crate) fn left_out(&self, path: &[u8], is_dir: bool, size: u64) -> Result<bool> {
        if is_among(&self.not_yet, path) {
            return Ok(true);
        }
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            let (part, whole) = (&path[..end], end == path.len());
            let is_folder = !whole || is_dir;
            let name = part.rsplit(|&byte| byte == b'/').next().unwrap_or(part);
            let is_tools =
                if is_folder { self.rules.is_cache_name(name) } else { self.rules.is_editors_name(name) };
            let ignored = is_tools || self.ignores(part, is_folder)?;
            if ignored {
                return Ok(is_dir || !self.rules.includes(path, size));
            }
        }
        Ok(false)
    }

    /// As [`super::rules::RuleNode::ignores`]: the strongest kind of file decides first; within a kind, the deepest folder.
    fn ignores(&self, path: &[u8], is_dir: bool) -> Result<bool> {
        for kind in (0..IGNORE_FILES.len()).rev() {
            let mut folder = path;
            while !folder.is_empty() {
                folder = folder.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |at| &folder[..at]);
                if let Some(matcher) = &self.matchers(folder)?[kind] {
                    let below = if folder.is_empty() { path } else { &path[folder.len() + 1..] };
                    match matcher.matched(platform::bytes_to_path(below), is_dir) {
                        Match::Ignore(_) => return Ok(true),
                        Match::Whitelist(_) => return Ok(false),
                        Match::None => {}
                    }
                }
            }
        }
        Ok(self.rules.excludes(path, is_dir))
    }

    fn matchers(&self, folder: &[u8]) -> Result<Matchers> {
        if let Some(known) = self.folders.borrow().get(folder) {
            return Ok(Rc::clone(known));
        }
        let mut own = [None, None, None];
        for (kind, name) in IGNORE_FILES.iter().enumerate() {
            own[kind] = self.text_of(&super::scan::join(folder, name))?.and_then(|text| rules::parse(&text));
        }
        let own = Rc::new(own);
        self.folders.borrow_mut().insert(folder.to_vec(), Rc::clone(&own));
        Ok(own)
    }

    /// What an ignore file said then. One whose content is lost said nothing that is known.
    fn text_of(&self, path: &[u8]) -> Result<Option<Vec<u8>>> {
        let unsaved = self.rules.text().unsaved.iter().find(|(name, _)| name.as_bytes() == path);
        if let Some((_, text)) = unsaved {
            return Ok(Some(text.clone().into_bytes()));
        }
        let reader = self.store.db.reader();
        let Some(id) = versions::find_path(reader, path)? else { return Ok(None) };
        let entry = versions::at(reader, self.seq, id)?.filter(|entry| entry.kind == EntryKind::File);
        Ok(entry.and_then(|entry| self.store.content(&entry.hash).ok()))
    }
}
