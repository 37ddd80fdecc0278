//! A table of vectors in a `safetensors` file: eight bytes that say how long the header is, the header in JSON, the numbers. Rows are read
//! one by one, where they stand; nothing in the file is believed before it is checked.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use serde_json::Value;

/// The longest header.
const LONGEST_HEADER: u64 = 1 << 20;
/// The largest table, in rows and in numbers of a row.
const MOST_ROWS: u64 = 2_000_000;
const MOST_COLUMNS: u64 = 4_096;
/// So many rows are kept after they were read.
const MOST_KEPT: usize = 20_000;
/// How much is read in one go when all rows are looked at.
const BLOCK: usize = 1 << 20;

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    F32,
    F16,
    Bf16,
}

impl Number {
    fn bytes(self) -> u64 {
        if self == Self::F32 { 4 } else { 2 }
    }

    fn read(self, bytes: &[u8]) -> f32 {
        let number = match (self, bytes) {
            (Self::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (Self::Bf16, &[a, b]) => f32::from_bits(u32::from(u16::from_le_bytes([a, b])) << 16),
            (Self::F16, &[a, b]) => half(u16::from_le_bytes([a, b])),
            _ => 0.0,
        };
        // What is no number would make every sum no number.
        if number.is_finite() { number } else { 0.0 }
    }
}

/// A number of sixteen bits.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    file: File,
    number: Number,
    start: u64,
    pub rows: u32,
    pub columns: usize,
    kept: HashMap<u32, Vec<f32>>,
}

impl Table {
    /// Opens the table of a file; says in words what is wrong with it.
    pub fn open(mut file: File) -> Result<Self, String> {
        let io = |error: std::io::Error| error.to_string();
        let length = file.metadata().map_err(io)?.len();
        let mut size = [0; 8];
        file.read_exact(&mut size).map_err(|_| "it is too short".to_owned())?;
        let size = u64::from_le_bytes(size);
        if size > LONGEST_HEADER || size + 8 > length {
            return Err("its header is longer than the file or than any header should be".to_owned());
        }
        let mut header = vec![0; usize::try_from(size).unwrap_or(0)];
        file.read_exact(&mut header).map_err(io)?;
        let header: Value =
            serde_json::from_slice(&header).map_err(|_| "its header is no JSON".to_owned())?;
        let tensor =
            the_table(&header).ok_or("it has no table with rows and columns, such as `embeddings`")?;
        let number = match tensor.get("dtype").and_then(Value::as_str) {
            Some("F32") => Number::F32,
            Some("F16") => Number::F16,
            Some("BF16") => Number::Bf16,
            other => {
                return Err(format!(
                    "its numbers are of the kind `{}`; F32, F16 and BF16 can be read",
                    other.unwrap_or("?")
                ));
            }
        };
        let (rows, columns) = shape(tensor).ok_or("its table has no rows and columns")?;
        if rows == 0 || columns == 0 || rows > MOST_ROWS || columns > MOST_COLUMNS {
            return Err(format!("its table of {rows} rows and {columns} columns is empty or too large"));
        }
        let offset = |at: usize| tensor.get("data_offsets")?.get(at)?.as_u64();
        let (Some(from), Some(to)) = (offset(0), offset(1)) else {
            return Err("its header does not say where the table is".to_owned());
        };
        let start = from.saturating_add(size + 8);
        // Rows and columns are bounded, so this cannot overflow.
        let bytes = rows * columns * number.bytes();
        if to.checked_sub(from) != Some(bytes) || start.saturating_add(bytes) > length {
            return Err("its table is not where the header says, or cut off".to_owned());
        }
        let rows = u32::try_from(rows).unwrap_or(0);
        Ok(Self {
            file,
            number,
            start,
            rows,
            columns: usize::try_from(columns).unwrap_or(0),
            kept: HashMap::new(),
        })
    }

    /// One row.
    pub fn row(&mut self, at: u32) -> std::io::Result<&[f32]> {
        if !self.kept.contains_key(&at) {
            if self.kept.len() >= MOST_KEPT {
                self.kept.clear();
            }
            let width = self.width();
            let mut bytes = vec![0; width];
            self.file.seek(SeekFrom::Start(self.start + u64::from(at) * width as u64))?;
            self.file.read_exact(&mut bytes)?;
            let row = self.numbers(&bytes);
            self.kept.insert(at, row);
        }
        Ok(self.kept.get(&at).map(Vec::as_slice).unwrap_or_default())
    }

    /// All rows, in order.
    pub fn each(&mut self, mut each: impl FnMut(u32, &[f32])) -> std::io::Result<()> {
        let width = self.width();
        self.file.seek(SeekFrom::Start(self.start))?;
        let in_block = (BLOCK / width).max(1);
        let mut bytes = vec![0; in_block * width];
        let mut row = vec![0.0; self.columns];
        let mut at = 0;
        while at < self.rows {
            let count = in_block.min((self.rows - at) as usize);
            self.file.read_exact(&mut bytes[..count * width])?;
            for one in bytes[..count * width].chunks_exact(width) {
                let numbers = one.chunks_exact(width / self.columns);
                row.iter_mut().zip(numbers).for_each(|(place, number)| *place = self.number.read(number));
                each(at, &row);
                at += 1;
            }
        }
        Ok(())
    }

    fn width(&self) -> usize {
        self.columns * if self.number == Number::F32 { 4 } else { 2 }
    }

    fn numbers(&self, bytes: &[u8]) -> Vec<f32> {
        bytes.chunks_exact(self.width() / self.columns).map(|number| self.number.read(number)).collect()
    }
}

/// The table among the tensors: `embeddings`, or the only one with rows and columns.
fn the_table(header: &Value) -> Option<&Value> {
    let tensors = header.as_object()?;
    if let Some(named) = tensors.get("embeddings") {
        return Some(named);
    }
    let mut tables = tensors.iter().filter(|(name, one)| *name != "__metadata__" && shape(one).is_some());
    tables.next().map(|(_, table)| table).filter(|_| tables.next().is_none())
}

fn shape(tensor: &Value) -> Option<(u64, u64)> {
    match tensor.get("shape")?.as_array()?.as_slice() {
        [rows, columns] => Some((rows.as_u64()?, columns.as_u64()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file
    }

    fn with_header(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    #[test]
    fn a_table_is_read_row_by_row_and_whole() {
        let header =
            r#"{"__metadata__":{"a":"b"},"embeddings":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}}"#;
        let data: Vec<u8> = (0..6_u8).flat_map(|number| f32::from(number).to_le_bytes()).collect();
        let mut table = Table::open(file(&with_header(header, &data))).unwrap();
        assert_eq!(table.row(2).unwrap(), [4.0, 5.0]);
        assert_eq!(table.row(0).unwrap(), [0.0, 1.0]);
        let mut all = Vec::new();
        table.each(|at, row| all.push((at, row.to_vec()))).unwrap();
        assert_eq!(all, [(0, vec![0.0, 1.0]), (1, vec![2.0, 3.0]), (2, vec![4.0, 5.0])]);
    }

    #[test]
    fn what_is_no_table_is_named_and_never_read() {
        let header = |dtype: &str, shape: &str, offsets: &str| {
            with_header(
                &format!(
                    r#"{{"embeddings":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#
                ),
                &[0; 8],
            )
        };
        for (bytes, why) in [
            (Vec::new(), "too short"),
            (vec![255; 64], "header is longer"),
            (with_header("[}", &[]), "no JSON"),
            (with_header("{}", &[]), "no table"),
            (header("I64", "[1,1]", "[0,8]"), "kind `I64`"),
            (header("F32", "[2]", "[0,8]"), "no rows and columns"),
            (header("F32", "[0,2]", "[0,0]"), "empty or too large"),
            (header("F32", "[4611686018427387904,4]", "[0,0]"), "empty or too large"),
            (header("F32", "[2,1]", "[0,4]"), "not where the header says"),
            (
                header("F32", "[2,1]", "[18446744073709551608,18446744073709551615]"),
                "not where the header says",
            ),
            (header("F32", "[2,1]", "[4,12]"), "cut off"),
        ] {
            let error = Table::open(file(&bytes)).unwrap_err();
            assert!(error.contains(why), "{why}: {error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_fall(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200), size in 0_u64..200) {
            let mut all = size.to_le_bytes().to_vec();
            all.extend(&bytes);
            let _ = Table::open(file(&all));
        }

        #[test]
        fn no_shape_makes_it_fall(rows in 0_u64..u64::MAX, columns in 0_u64..10_000, from in 0_u64..u64::MAX, to in 0_u64..u64::MAX) {
            let header = format!(r#"{{"e":{{"dtype":"F16","shape":[{rows},{columns}],"data_offsets":[{from},{to}]}}}}"#);
            if let Ok(mut table) = Table::open(file(&with_header(&header, &[1; 64]))) {
                let _ = table.each(|_, _| {});
            }
        }
    }

    #[test]
    fn sixteen_bits_are_read_as_they_are_meant() {
        for (bits, number) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8), (0, 0.0)]
        {
            assert_eq!(half(bits), number, "{bits:x}");
        }
        assert_eq!(Number::F16.read(&[0x00, 0x7c]), 0.0, "what is no number counts nothing");
        assert_eq!(Number::Bf16.read(&[0x80, 0x3f]), 1.0);
    }
}
