//! The gate before every write: a log to which a newer vib has written is only read. (MM11)
//!
//! Looking at a whole log before every event would be slow, so a small file beside it says how far it was looked at, and the next
//! writer looks at what came since. Lost or wrong, it costs one look at everything.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use fs_err as fs;
use memchr::memmem;
use serde::Deserialize;

use super::event::SCHEMA_VERSION;
use super::file::{Log, LogError};

/// When so many bytes came since the last mark, a new one is set.
const WORTH_A_MARK: u64 = 16 << 10;
/// So many bytes before the mark are compared, to see that the log is still the same one.
const COMPARED: u64 = 256;
/// How much is looked at in one go.
const BLOCK: usize = 256 << 10;
const NAME: &[u8] = b"\"schema_version\"";

/// As much of an event as even a much newer vib will write.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    schema_version: u64,
}

/// A line that a newer vib wrote, whether the rest of it can be understood or not.
pub(super) fn is_newer(line: &[u8]) -> bool {
    if is_plainly_ours(line) {
        return false;
    }
    // The number is looked for first: taking every line apart would cost more than all the rest.
    let mut rest = line;
    while let Some(at) = memmem::find(rest, NAME) {
        rest = &rest[at + NAME.len()..];
        let value = rest.trim_ascii_start();
        let Some(value) = value.strip_prefix(b":") else { continue };
        let digits: Vec<u8> =
            value.trim_ascii_start().iter().copied().take_while(u8::is_ascii_digit).collect();
        let number = std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse::<u64>().ok());
        // A number too long to be read is a newer one for sure.
        if !digits.is_empty() && number.is_none_or(|number| number > u64::from(SCHEMA_VERSION)) {
            // It may stand inside of what the event says.
            return serde_json::from_slice::<Head>(line)
                .is_ok_and(|head| head.schema_version > u64::from(SCHEMA_VERSION));
        }
    }
    false
}

/// A line that begins as this vib begins its lines: nearly all of them, and quickly seen.
fn is_plainly_ours(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"{\"id\":\"") else { return false };
    let id = rest.iter().take(80).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let ours = format!("\",\"schema_version\":{SCHEMA_VERSION},");
    rest.get(id..).is_some_and(|rest| rest.starts_with(ours.as_bytes()))
}

impl Log {
    /// Says no if a newer vib has written here. Every append asks this by itself; ask before work whose result could not be written.
    pub fn writable(&self) -> Result<(), LogError> {
        let io = |source| LogError::Io { path: self.path().to_path_buf(), source };
        let mut file = match File::open(self.path()) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(io(source)),
        };
        let length = file.metadata().map_err(io)?.len();
        self.gate(&mut file, length, false)
    }

    /// The same for a writer, who holds the lock and keeps the mark.
    pub(super) fn gate(&self, file: &mut File, length: u64, keeps_mark: bool) -> Result<(), LogError> {
        let io = |source| LogError::Io { path: self.path().to_path_buf(), source };
        if length == 0 {
            return Ok(());
        }
        let mark = self.path().with_extension("schema");
        let from = known_up_to(&mark, file, length).map_err(io)?;
        let (newer, end) = look(file, from, length).map_err(io)?;
        if newer {
            return Err(LogError::Newer { path: self.path().to_path_buf() });
        }
        if keeps_mark && end.saturating_sub(from) > WORTH_A_MARK {
            // Lost, it is set again by the next writer.
            if let Ok(hash) = hash_before(file, end) {
                let _ = fs::write(&mark, format!("{end} {hash:016x}\n"));
            }
        }
        Ok(())
    }
}

/// How far the log was looked at, if it is still the same one.
fn known_up_to(mark: &Path, file: &mut File, length: u64) -> std::io::Result<u64> {
    if length <= WORTH_A_MARK {
        return Ok(0);
    }
    let text = std::fs::read_to_string(mark).unwrap_or_default();
    let Some((end, hash)) = text.trim().split_once(' ') else { return Ok(0) };
    let (Ok(end), Ok(hash)) = (end.parse::<u64>(), u64::from_str_radix(hash, 16)) else { return Ok(0) };
    let same = (1..=length).contains(&end) && hash_before(file, end)? == hash;
    Ok(if same { end } else { 0 })
}

fn hash_before(file: &mut File, end: u64) -> std::io::Result<u64> {
    let start = end.saturating_sub(COMPARED);
    let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(0)];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(xxhash_rust::xxh3::xxh3_64(&bytes))
}

/// Looks at all whole lines after `from`; gives the end of the last of them.
fn look(file: &mut File, from: u64, length: u64) -> std::io::Result<(bool, u64)> {
    file.seek(SeekFrom::Start(from))?;
    let mut reader = Read::by_ref(file).take(length - from);
    let (mut text, mut end) = (Vec::new(), from);
    loop {
        let read = Read::by_ref(&mut reader).take(BLOCK as u64).read_to_end(&mut text)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if text[..whole].split(|&byte| byte == b'\n').any(is_newer) {
            return Ok((true, end));
        }
        end += whole as u64;
        text.drain(..whole);
        if read == 0 {
            return Ok((false, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_line_is_known_by_its_own_number_and_not_by_what_it_speaks_of() {
        assert!(!is_newer(br#"{"id":"a","schema_version":1,"body":{}}"#));
        assert!(is_newer(br#"{"id":"a","schema_version":2,"body":{}}"#));
        assert!(is_newer(br#"{"id":"a", "schema_version" : 17, "scope":"team","body":[]}"#));
        assert!(is_newer(br#"{"body":{"schema_version":1},"schema_version":3}"#));
        assert!(!is_newer(br#"{"schema_version":1,"body":{"schema_version":9}}"#));
        assert!(!is_newer(br#"{"schema_version":1,"body":{"text":"\"schema_version\":9"}}"#));
        assert!(!is_newer(b"{\"schema_version\":"));
        assert!(!is_newer(b""));
    }
}
