//! Times the parsing of a folder, without store and cache: `cargo run --release -p vib-map --example scan_tree -- FOLDER`.

use std::io::Write;
use std::path::Path;

use map::{Cache, Map, Source};
use project::RelPath;

fn main() -> std::io::Result<()> {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let root = Path::new(&root);
    let (mut folders, mut sources) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let kind = entry.file_type()?;
            let inside = entry.path();
            let inside = inside.strip_prefix(root).unwrap_or(&inside).to_string_lossy().into_owned();
            let Ok(path) = RelPath::new(inside.as_bytes()) else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                // Any bytes that tell files apart will do.
                let mut hash = [0; 32];
                hash[..8].copy_from_slice(&(sources.len() as u64).to_le_bytes());
                sources.push(Source { path, hash, size: entry.metadata()?.len(), sensitive: false });
            }
        }
    }
    let started = std::time::Instant::now();
    let folder = tempfile::tempdir()?;
    let nowhere = Cache::open(folder.path());
    let map = Map::build(&sources, &[], &nowhere, &|path| std::fs::read(path.to_path(root)).ok(), &|_| {});
    let symbols: usize = map.files().map(|(_, file)| file.symbols().len()).sum();
    writeln!(std::io::stdout(), "{} files, {symbols} symbols, {:?}", map.len(), started.elapsed())
}
