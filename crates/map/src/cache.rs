//! [`Cache`]: outlines by content, in one file. Whatever is wrong with the file, the cache is empty and outlines are made anew.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::{Language, Outline, category};

/// Changes whenever outlines of the same text would come out differently.
const MAGIC: &[u8; 8] = b"vibmap03";
const HEADER: usize = 8 + 8 + 4;
const ROW: usize = 16 + 4 + 4;

/// Names a content together with what decides how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(u128);

impl Key {
    /// The key of a content at a path.
    pub(crate) fn of(path: &[u8], hash: &[u8; 32]) -> Self {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        // The language by name; for files that name a package, the name itself.
        let special = matches!(
            name,
            b"go.mod" | b"package.json" | b"composer.json" | b"Cargo.toml" | b"pyproject.toml"
        );
        let tag = match Language::of_path(path) {
            Some(language) => language as u8,
            None => u8::MAX,
        };
        let header = u8::from(path.ends_with(b".h") || path.ends_with(b".H"));
        let kind = category(path) as u8;
        let bytes = [&hash[..], &[tag, header, kind], if special { name } else { b"" }].concat();
        Self(xxh3_128(&bytes))
    }
}

/// Outlines that were made before.
#[derive(Debug)]
pub struct Cache {
    file: PathBuf,
    bytes: Vec<u8>,
    rows: usize,
}

impl Cache {
    /// Opens the cache in a folder, which may not be there yet.
    pub fn open(folder: &Path) -> Self {
        let file = folder.join("outlines.bin");
        let bytes = std::fs::read(&file).unwrap_or_default();
        let rows = check(&bytes).unwrap_or(0);
        Self { file, bytes, rows }
    }

    fn row(&self, at: usize) -> Option<(Key, &[u8])> {
        let start = HEADER + at * ROW;
        let row = self.bytes.get(start..start + ROW)?;
        let key = u128::from_le_bytes(row[..16].try_into().ok()?);
        let offset = u32::from_le_bytes(row[16..20].try_into().ok()?) as usize;
        let length = u32::from_le_bytes(row[20..24].try_into().ok()?) as usize;
        let data = self.bytes.get(HEADER + self.rows * ROW..)?.get(offset..offset + length)?;
        Some((Key(key), data))
    }

    fn find(&self, key: Key) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = usize::midpoint(low, high);
            let (at, data) = self.row(middle)?;
            match at.cmp(&key) {
                std::cmp::Ordering::Equal => return Some(data),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    pub(crate) fn get(&self, key: Key) -> Option<(Option<Language>, Outline)> {
        postcard::from_bytes(self.find(key)?).ok()
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Replaces the cache by these outlines. What is already in the file is copied, not written anew.
    pub(crate) fn save(&self, outlines: &[(Key, Option<Language>, &Outline)]) -> std::io::Result<()> {
        let mut sorted: Vec<&(Key, Option<Language>, &Outline)> = outlines.iter().collect();
        sorted.sort_unstable_by_key(|(key, ..)| *key);
        sorted.dedup_by_key(|(key, ..)| *key);
        let mut data = Vec::new();
        let mut table = Vec::with_capacity(sorted.len() * ROW);
        for (key, language, outline) in &sorted {
            let start = data.len();
            match self.find(*key) {
                Some(bytes) => data.extend_from_slice(bytes),
                None => {
                    data = postcard::to_extend(&(language, outline), data).map_err(std::io::Error::other)?;
                }
            }
            let number = |value: usize| u32::try_from(value).map_err(std::io::Error::other);
            table.extend_from_slice(&key.0.to_le_bytes());
            table.extend_from_slice(&number(start)?.to_le_bytes());
            table.extend_from_slice(&number(data.len() - start)?.to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(HEADER + table.len() + data.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(&u32::try_from(sorted.len()).map_err(std::io::Error::other)?.to_le_bytes());
        bytes.extend_from_slice(&table);
        bytes.extend_from_slice(&data);
        let checksum = xxh3_64(&bytes[16..]);
        bytes[8..16].copy_from_slice(&checksum.to_le_bytes());
        if let Some(folder) = self.file.parent() {
            project::platform::make_private_dir(folder)?;
        }
        project::write_view(&self.file, &bytes)
    }
}

/// The number of rows, if the file is whole.
fn check(bytes: &[u8]) -> Option<usize> {
    let header = bytes.get(..HEADER)?;
    let checksum = u64::from_le_bytes(header[8..16].try_into().ok()?);
    if &header[..8] != MAGIC || xxh3_64(&bytes[16..]) != checksum {
        return None;
    }
    let rows = u32::from_le_bytes(header[16..20].try_into().ok()?) as usize;
    (bytes.len() >= HEADER + rows * ROW).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline_of_path;

    #[test]
    fn what_was_saved_comes_back_and_a_damaged_file_is_no_cache() {
        let folder = tempfile::tempdir().unwrap();
        let text = b"def login():\n    assert True\n";
        let (language, outline) = outline_of_path(b"a.py", text);
        let key = Key::of(b"a.py", &[7; 32]);
        Cache::open(folder.path()).save(&[(key, language, &outline)]).unwrap();
        let cache = Cache::open(folder.path());
        assert_eq!(cache.get(key), Some((language, outline.clone())));
        assert_eq!(cache.get(Key::of(b"a.js", &[7; 32])), None);
        cache.save(&[(key, language, &outline)]).unwrap();
        assert_eq!(Cache::open(folder.path()).get(key), Some((language, outline)));

        let file = folder.path().join("outlines.bin");
        let mut bytes = std::fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(Cache::open(folder.path()).rows(), 0);
    }
}
