//! Bytes that are read in ranges: a file, or memory.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::error::{Error, Result};

/// Files up to this size are read at once: one call instead of many.
const SMALL: u64 = 64 * 1024;

/// Where a segment's bytes come from.
#[derive(Debug)]
pub(super) struct Source {
    name: PathBuf,
    len: u64,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    File(fs::File),
    Memory(Vec<u8>),
}

impl Source {
    pub fn open(path: &Path) -> Result<Self> {
        let file = fs::File::open(path)?;
        let len = file.metadata()?.len();
        let source = Self { name: path.to_path_buf(), len, bytes: Bytes::File(file) };
        if len > SMALL {
            return Ok(source);
        }
        let bytes = source.read(0, len)?.into_owned();
        Ok(Self { bytes: Bytes::Memory(bytes), ..source })
    }

    pub fn memory(bytes: Vec<u8>) -> Self {
        Self { name: PathBuf::from("(new memories)"), len: bytes.len() as u64, bytes: Bytes::Memory(bytes) }
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// So many bytes from there; an error if they are not all in the file.
    pub fn read(&self, offset: u64, len: u64) -> Result<std::borrow::Cow<'_, [u8]>> {
        let end = offset.checked_add(len).filter(|end| *end <= self.len);
        let (Some(end), Ok(size)) = (end, usize::try_from(len)) else {
            return Err(self.damaged("it is shorter than it says"));
        };
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
                let range = range.and_then(|(start, end)| bytes.get(start..end));
                range.map(Into::into).ok_or_else(|| self.damaged("it is shorter than it says"))
            }
            Bytes::File(file) => {
                let mut buffer = vec![0; size];
                match read_exact_at(file, &mut buffer, offset) {
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                        Err(self.damaged("it was cut off"))
                    }
                    read => read.map(|()| buffer.into()).map_err(Error::from),
                }
            }
        }
    }

    pub fn damaged(&self, detail: &'static str) -> Error {
        Error::Damaged { file: self.name.clone(), detail }
    }

    pub fn newer(&self, found: u32, known: u32) -> Error {
        Error::Newer { file: self.name.clone(), found, known }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file.file(), buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &fs::File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file.file(), buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}
