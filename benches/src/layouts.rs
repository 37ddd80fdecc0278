//! `./bench layouts [TREE]`: where should content lie? The same contents, compressed the same way, written and read back as
//! records of one append-only file, as rows of the database, and as one file each. See `docs/store.md`.

use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use fs_err as fs;
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::generate::{self, Shape};

/// What to write.
#[derive(Args)]
pub struct LayoutArgs {
    /// A checkout whose files are stored; without it, one is generated.
    tree: Option<PathBuf>,
    /// How many files the generated tree has.
    #[arg(long, default_value_t = 32_000)]
    files: usize,
    /// How many contents are read back at random.
    #[arg(long, default_value_t = 1_000)]
    reads: usize,
}

type Content = ([u8; 32], Vec<u8>);

struct Measured {
    name: &'static str,
    write: Duration,
    append_100: Duration,
    read: Duration,
    apparent: u64,
    on_disk: u64,
}

/// Measures the three layouts and prints a table.
pub fn run(args: &LayoutArgs) -> Result<()> {
    let scratch = tempfile::Builder::new().prefix("vib-layouts-").tempdir()?;
    let tree = match &args.tree {
        Some(tree) => tree.clone(),
        None => {
            let tree = scratch.path().join("tree");
            generate::generate(&tree, Shape::checkout(args.files))?;
            tree
        }
    };
    let mut contents = Vec::new();
    collect(&tree, &mut zstd::bulk::Compressor::new(1)?, &mut contents)?;
    ensure!(contents.len() > 200, "`{}` has too few files to measure", tree.display());
    let late = contents.split_off(contents.len() - 100);
    let bytes: usize = contents.iter().map(|(_, content)| content.len()).sum();
    println!("{} contents, {} MB compressed", contents.len(), bytes >> 20);

    let rows = [
        measure("append-only pack + index", scratch.path(), &contents, &late, args.reads, pack)?,
        measure("rows of the database", scratch.path(), &contents, &late, args.reads, rows)?,
        measure("one file each", scratch.path(), &contents, &late, args.reads, files)?,
    ];
    println!(
        "{:<26} {:>10} {:>16} {:>12} {:>10} {:>10}",
        "layout", "write all", "100 more, 1 by 1", "read random", "size", "on disk"
    );
    for row in rows {
        println!(
            "{:<26} {:>7} ms {:>13} ms {:>9} ms {:>7} MB {:>7} MB",
            row.name,
            row.write.as_millis(),
            row.append_100.as_millis(),
            row.read.as_millis(),
            row.apparent >> 20,
            row.on_disk >> 20
        );
    }
    Ok(())
}

/// One layout: writes the contents in one go, adds some one by one, reads some back.
trait Layout {
    fn write(&mut self, contents: &[Content]) -> Result<()>;
    fn read(&mut self, hash: &[u8; 32]) -> Result<usize>;
}

fn measure<L: Layout>(
    name: &'static str,
    scratch: &Path,
    contents: &[Content],
    late: &[Content],
    reads: usize,
    make: fn(&Path) -> Result<L>,
) -> Result<Measured> {
    let folder = scratch.join(name.replace(' ', "-"));
    fs::create_dir_all(&folder)?;
    let mut layout = make(&folder)?;
    let begin = Instant::now();
    layout.write(contents)?;
    let write = begin.elapsed();
    let begin = Instant::now();
    for content in late.chunks(1) {
        layout.write(content)?;
    }
    let append_100 = begin.elapsed();
    let begin = Instant::now();
    let mut at = 0;
    for _ in 0..reads {
        // A step that visits the contents in no order.
        at = (at + 7_919) % contents.len();
        let (hash, content) = &contents[at];
        ensure!(layout.read(hash)? == content.len(), "{name} gave back something else");
    }
    let read = begin.elapsed();
    drop(layout);
    let (mut apparent, mut on_disk) = (0, 0);
    add_sizes(&folder, &mut apparent, &mut on_disk)?;
    Ok(Measured { name, write, append_100, read, apparent, on_disk })
}

struct Pack {
    file: fs::File,
    index: Connection,
}

fn pack(folder: &Path) -> Result<Pack> {
    let file = fs::OpenOptions::new().read(true).append(true).create(true).open(folder.join("pack"))?;
    let index = database(
        folder,
        "CREATE TABLE blob (hash BLOB PRIMARY KEY, at INTEGER, length INTEGER) WITHOUT ROWID",
    )?;
    Ok(Pack { file, index })
}

impl Layout for Pack {
    fn write(&mut self, contents: &[Content]) -> Result<()> {
        let mut at = self.file.seek(SeekFrom::End(0))?;
        let mut buffer = Vec::with_capacity(1 << 20);
        let transaction = self.index.transaction()?;
        for (hash, content) in contents {
            buffer.extend_from_slice(content);
            transaction.prepare_cached("INSERT OR IGNORE INTO blob VALUES (?1, ?2, ?3)")?.execute((
                hash,
                at,
                content.len(),
            ))?;
            at += content.len() as u64;
            if buffer.len() > 1 << 20 {
                self.file.write_all(&buffer)?;
                buffer.clear();
            }
        }
        self.file.write_all(&buffer)?;
        Ok(transaction.commit()?)
    }

    fn read(&mut self, hash: &[u8; 32]) -> Result<usize> {
        let (at, length): (u64, usize) = self
            .index
            .prepare_cached("SELECT at, length FROM blob WHERE hash = ?1")?
            .query_row([hash], |row| Ok((row.get(0)?, row.get(1)?)))?;
        self.file.seek(SeekFrom::Start(at))?;
        let mut content = vec![0; length];
        self.file.read_exact(&mut content)?;
        Ok(content.len())
    }
}

struct Rows(Connection);

fn rows(folder: &Path) -> Result<Rows> {
    Ok(Rows(database(folder, "CREATE TABLE blob (hash BLOB PRIMARY KEY, content BLOB)")?))
}

impl Layout for Rows {
    fn write(&mut self, contents: &[Content]) -> Result<()> {
        let transaction = self.0.transaction()?;
        for (hash, content) in contents {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO blob VALUES (?1, ?2)")?
                .execute((hash, content))?;
        }
        Ok(transaction.commit()?)
    }

    fn read(&mut self, hash: &[u8; 32]) -> Result<usize> {
        let content: Vec<u8> = self
            .0
            .prepare_cached("SELECT content FROM blob WHERE hash = ?1")?
            .query_row([hash], |row| row.get(0))?;
        Ok(content.len())
    }
}

struct Files(PathBuf);

fn files(folder: &Path) -> Result<Files> {
    for number in 0..=255 {
        fs::create_dir(folder.join(format!("{number:02x}")))?;
    }
    Ok(Files(folder.to_path_buf()))
}

impl Files {
    fn path(&self, hash: &[u8; 32]) -> PathBuf {
        let name: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        self.0.join(&name[..2]).join(&name[2..])
    }
}

impl Layout for Files {
    fn write(&mut self, contents: &[Content]) -> Result<()> {
        for (hash, content) in contents {
            let path = self.path(hash);
            if path.exists() {
                continue;
            }
            let temporary = path.with_extension("tmp");
            fs::write(&temporary, content)?;
            fs::rename(&temporary, &path)?;
        }
        Ok(())
    }

    fn read(&mut self, hash: &[u8; 32]) -> Result<usize> {
        Ok(fs::read(self.path(hash))?.len())
    }
}

fn database(folder: &Path, schema: &str) -> Result<Connection> {
    let connection = Connection::open(folder.join("index.db"))?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")?;
    connection.execute_batch(schema)?;
    Ok(connection)
}

fn collect(folder: &Path, compressor: &mut zstd::bulk::Compressor<'_>, out: &mut Vec<Content>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), compressor, out)?;
        } else if kind.is_file() {
            let content = fs::read(entry.path())?;
            out.push((Sha256::digest(&content).into(), compressor.compress(&content).context("zstd")?));
        }
    }
    Ok(())
}

fn add_sizes(folder: &Path, apparent: &mut u64, on_disk: &mut u64) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        *on_disk += metadata.blocks() * 512;
        if metadata.is_dir() {
            add_sizes(&entry.path(), apparent, on_disk)?;
        } else {
            *apparent += metadata.len();
        }
    }
    Ok(())
}
