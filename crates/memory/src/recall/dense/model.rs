//! A model of the person's: two files in a folder that they named.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::dot;
use super::pieces::Pieces;
use super::tensors::Table;

/// The longest `tokenizer.json`.
const LONGEST_TOKENIZER: u64 = 16 << 20;
/// Pieces of one text that are added up.
const MOST_PIECES: usize = 512;

/// Why a model cannot be used. Recall goes on with words alone.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file is not there or cannot be read.
    #[error("the model file `{}` cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("the model file `{}` cannot be used: {detail}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
}

impl ModelError {
    /// A name for programs that never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "recall_model_missing",
            Self::Unusable { .. } => "recall_model_unusable",
        }
    }

    /// What to do now.
    pub fn next(&self) -> &'static str {
        "name a folder with `tokenizer.json` (WordPiece) and `model.safetensors` (static embeddings) by `vib config set recall.model \
         FOLDER`, or leave it out by `vib config set recall.model \"\"`; until then memories are found by words"
    }
}

/// An opened model.
#[derive(Debug)]
pub struct Model {
    pieces: Pieces,
    table: Table,
    path: PathBuf,
}

impl Model {
    /// Opens the model of a folder. Reads the vocabulary and the header of the table; rows are read when they are needed.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let path = folder.join("model.safetensors");
        let unusable = |detail| ModelError::Unusable { path: path.clone(), detail };
        let table = Table::open(open(&path)?).map_err(unusable)?;
        let words = folder.join("tokenizer.json");
        let mut json = Vec::new();
        let read = open(&words)?.take(LONGEST_TOKENIZER + 1).read_to_end(&mut json);
        read.map_err(|source| ModelError::Io { path: words.clone(), source })?;
        let detail = if json.len() as u64 > LONGEST_TOKENIZER {
            Err("it is larger than any vocabulary should be".to_owned())
        } else {
            Pieces::read(&json, table.rows)
        };
        let pieces = detail.map_err(|detail| ModelError::Unusable { path: words, detail })?;
        Ok(Self { pieces, table, path })
    }

    /// How many vectors it has, and how long they are.
    pub fn size(&self) -> (u32, usize) {
        (self.table.rows, self.table.columns)
    }

    /// What a text means, as a vector of length 1; nothing if it has no piece that the model knows.
    pub(super) fn embed(&mut self, text: &str) -> Result<Option<Vec<f32>>, ModelError> {
        let mut rows = self.pieces.rows(text);
        rows.truncate(MOST_PIECES);
        let mut sum = vec![0.0_f32; self.table.columns];
        for row in rows {
            let vector =
                self.table.row(row).map_err(|source| ModelError::Io { path: self.path.clone(), source })?;
            sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        Ok(normal(sum))
    }

    /// Words of the vocabulary that are near one of these words, and none of them; for each word the nearest few.
    pub(super) fn likes(
        &mut self,
        words: &[String],
        most: usize,
        least: f32,
    ) -> Result<Vec<String>, ModelError> {
        let mut asked: Vec<Vec<f32>> = Vec::new();
        for word in words {
            asked.extend(self.embed(word)?);
        }
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let known = self.pieces.whole_words();
        let mut nearest: Vec<Vec<(f32, u32)>> = vec![Vec::new(); asked.len()];
        let looked = self.table.each(|row, vector| {
            if !known.contains_key(&row) {
                return;
            }
            let length = dot(vector, vector).sqrt();
            for (asked, nearest) in asked.iter().zip(&mut nearest) {
                let near = dot(asked, vector) / length.max(f32::MIN_POSITIVE);
                if near >= least {
                    nearest.push((near, row));
                }
            }
        });
        looked.map_err(|source| ModelError::Io { path: self.path.clone(), source })?;
        let mut likes: Vec<String> = Vec::new();
        for mut some in nearest {
            some.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(a.cmp(b)));
            let new = some.iter().filter_map(|(_, row)| known.get(row));
            for word in new.filter(|word| words.iter().all(|asked| asked != *word)).take(most) {
                if likes.iter().all(|like| like != word) {
                    likes.push((*word).to_owned());
                }
            }
        }
        Ok(likes)
    }
}

fn normal(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = dot(&vector, &vector).sqrt();
    vector.iter_mut().for_each(|number| *number /= length);
    (length > 0.0 && length.is_finite()).then_some(vector)
}

/// Only what is a file: a pipe or a device would never end.
fn open(path: &Path) -> Result<File, ModelError> {
    let io = |source| ModelError::Io { path: path.to_path_buf(), source };
    let facts = std::fs::metadata(path).map_err(io)?;
    if !facts.is_file() {
        return Err(ModelError::Unusable { path: path.to_path_buf(), detail: "it is no file".to_owned() });
    }
    File::open(path).map_err(io)
}
