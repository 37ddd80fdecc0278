//! Makes a tree that looks like a source checkout: to the walker (folders, depth, sizes) and to the compressor.
//!
//! Text of one repeated line would compress to nothing, random bytes not at all; both would flatter some tool. Here the
//! text is made of lines as programs have them, over a vocabulary in which few words are frequent and most are rare;
//! every folder prefers words of its own. The same seed gives the same tree.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fs_err as fs;

use crate::random::Random;

/// How big a tree, and how big its files.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How many files.
    pub files: usize,
    /// The size that half of the files stay under.
    pub median_size: f64,
    /// How far the sizes spread (sigma of the logarithm): 1.8 gives a mean of five times the median.
    pub spread: f64,
}

impl Shape {
    /// Sizes as in a large source checkout: mean 9 KB, one file in a hundred above 100 KB, a few of some MB.
    pub fn checkout(files: usize) -> Self {
        Self { files, median_size: 1_800.0, spread: 1.8 }
    }

    /// Many small files: mean 1 KB.
    pub fn small_files(files: usize) -> Self {
        Self { files, median_size: 700.0, spread: 0.8 }
    }
}

const MAX_DEPTH: usize = 8;
const MAX_SIZE: f64 = 6e6;
const SEED: u64 = 0x7669_626c_6967_6e31;
const SUFFIXES: [&str; 8] = ["go", "go", "go", "go", "rs", "py", "md", "yaml"];

/// Writes the tree into an empty folder.
pub fn generate(root: &Path, shape: Shape) -> Result<()> {
    let mut random = Random::new(SEED);
    let vocabulary = vocabulary(&mut random);
    let folders = folders(&mut random, root, (shape.files / 5).max(1))?;
    fs::write(root.join(".gitignore"), "*.log\n*.tmp\n/out/\nnode_modules/\n!keep.log\n")?;
    let mut text = String::new();
    // Every folder gets a file; the rest go where chance puts them, some folders being much fuller than others.
    for number in 0..shape.files.saturating_sub(1) {
        let place = if number < folders.len() {
            number
        } else {
            let limit = random.below(folders.len()) + 1;
            random.below(limit)
        };
        let folder = &folders[place];
        let size = (random.normal() * shape.spread).exp() * shape.median_size;
        text.clear();
        fill(&mut text, &mut random, &vocabulary, place, size.min(MAX_SIZE) as usize);
        let name = format!(
            "{}_{number}.{}",
            vocabulary[random.skewed(vocabulary.len())],
            SUFFIXES[random.below(SUFFIXES.len())]
        );
        let path = folder.join(name);
        fs::write(&path, &text)?;
        if number % 150 == 7 {
            make_executable(&path)?;
        }
        if number % 1_000 == 11 {
            link_beside(&path, number)?;
        }
    }
    Ok(())
}

/// Creates the folders, breadth before depth, at most [`MAX_DEPTH`] deep; the root is one of them.
fn folders(random: &mut Random, root: &Path, count: usize) -> Result<Vec<PathBuf>> {
    let mut folders = vec![(root.to_path_buf(), 0)];
    while folders.len() < count {
        let (parent, depth) = &folders[random.below(folders.len())];
        if *depth == MAX_DEPTH {
            continue;
        }
        let path = parent.join(format!("{}{}", word(random), folders.len()));
        let depth = depth + 1;
        fs::create_dir(&path)?;
        folders.push((path, depth));
    }
    Ok(folders.into_iter().map(|(path, _)| path).collect())
}

const SYLLABLES: [&str; 40] = [
    "al", "ber", "cor", "dis", "en", "fil", "ga", "hol", "in", "jo", "ker", "lat", "men", "nod", "op", "pre",
    "qu", "res", "set", "tra", "un", "ver", "wal", "ex", "yar", "zon", "con", "der", "ist", "able", "ing",
    "tor", "ply", "cess", "form", "port", "stat", "vice", "lim", "run",
];

fn word(random: &mut Random) -> String {
    (0..2 + random.below(3)).map(|_| SYLLABLES[random.below(SYLLABLES.len())]).collect()
}

/// Names as programs have them: one to three words, the later ones with a capital.
fn vocabulary(random: &mut Random) -> Vec<String> {
    let words: Vec<String> = (0..2_500).map(|_| word(random)).collect();
    (0..12_000)
        .map(|_| {
            let mut name = words[random.skewed(words.len())].clone();
            for _ in 0..random.below(3) {
                let next = &words[random.skewed(words.len())];
                let (head, tail) = next.split_at(1);
                name.push_str(&head.to_uppercase());
                name.push_str(tail);
            }
            name
        })
        .collect()
}

const HEADER: &str = "// Copyright The Authors. Licensed under the Apache License, Version 2.0 (the \"License\");\n\
                      // you may not use this file except in compliance with the License.\n\n";

/// Appends lines until the text has the size.
fn fill(text: &mut String, random: &mut Random, vocabulary: &[String], folder: usize, size: usize) {
    if size > 400 {
        text.push_str(HEADER);
    }
    let mut depth = 0;
    let local = folder * 37;
    while text.len() < size {
        // Programs repeat themselves: every so often comes a stretch that stood there before.
        if random.below(12) == 0 {
            let start = random.below(text.len());
            let end = start + random.below(600);
            if let Some(stretch) = text.get(start..end).map(str::to_owned) {
                text.push_str(&stretch);
                text.push('\n');
            }
        }
        // Half of the names are the folder's own, the others come from everywhere.
        let mut name = || -> &str {
            let place = if random.below(2) == 0 {
                local + random.skewed(150)
            } else {
                random.skewed(vocabulary.len())
            };
            &vocabulary[place % vocabulary.len()]
        };
        let (a, b, c, d) = (name(), name(), name(), name());
        for _ in 0..depth {
            text.push('\t');
        }
        let number = random.skewed(5_000);
        // Writing to a `String` cannot fail.
        let _ = match random.below(14) {
            0 => writeln!(text, "func ({a} *{b}) {c}(ctx context.Context, {d} string) error {{"),
            1 => writeln!(text, "if err := {a}.{b}(ctx, {c}); err != nil {{"),
            2 => writeln!(text, "return fmt.Errorf(\"{a} {b} failed for {c}: %w\", err)"),
            3 => writeln!(text, "{a} := {b}.{c}({d}, {number})"),
            4 => writeln!(text, "// {a} {b} the {c} when a {d} is not yet there."),
            5 => writeln!(text, "{a} {b} `json:\"{a},omitempty\" protobuf:\"bytes,{number},opt,name={a}\"`"),
            6 => writeln!(text, "for _, {a} := range {b}.{c} {{"),
            7 => writeln!(text, "{a}: {b}.{c}{{{d}: \"{number:x}\"}},"),
            8 => writeln!(text, "assert.Equal(t, {a}.{b}, {c}({number}))"),
            9 => writeln!(text),
            10 => writeln!(text, "{a}.{b} = append({a}.{b}, {c}.{d})"),
            11 => writeln!(text, "case {a}{b}:"),
            12 => writeln!(text, "\"{a}/{b}/{c}\","),
            _ => writeln!(text, "}}"),
        };
        depth = if text.ends_with("{\n") {
            (depth + 1).min(5)
        } else if text.ends_with("}\n") {
            depth.max(1) - 1
        } else {
            depth
        };
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

#[cfg(unix)]
fn link_beside(path: &Path, number: usize) -> Result<()> {
    let target = path.file_name().context("a generated file has no name")?;
    Ok(fs::os::unix::fs::symlink(target, path.with_file_name(format!("link{number}")))?)
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn link_beside(_path: &Path, _number: usize) -> Result<()> {
    Ok(())
}
