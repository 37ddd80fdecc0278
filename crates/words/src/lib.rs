//! Text as this program looks at it: words and their stems, names taken apart, tokens counted, patterns, lines.
//!
//! One home for what several crates need, so that they answer alike. Pure: text in, answer out. Where two answers differ on purpose,
//! both are here, beside each other, and say why: [`stem`], [`rough_stem`] and [`singular`]; [`estimate_tokens`] and
//! [`upper_tokens`]; [`is_binary`] and [`has_nul`]. (What a *shell* takes a pattern for is another language: `shell::fits_pattern`.)
//!
//! Start reading at [`tokens`].

mod budget;
pub mod diff;
mod glob;
mod lines;
mod parts;
mod stem;
mod tokens;

pub use budget::{estimate_tokens, upper_tokens};
pub use glob::{fits_path, fits_stars};
pub use lines::{HEAD, has_nul, is_binary, line_breaks};
pub use parts::{each_part, parts};
pub use stem::{rough_stem, same_word, singular, stem};
pub use tokens::{Token, folded, is_unspaced, query_tokens, tokens};
