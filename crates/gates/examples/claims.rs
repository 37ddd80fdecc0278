//! Which of these messages claim that the work is finished? Messages come on standard input, with a zero byte between two; a `1` or `0` for each goes
//! to standard output, one in a line. For measuring on records of real sessions.

use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut out = std::io::stdout().lock();
    for message in text.split('\0') {
        writeln!(out, "{}", u8::from(gates::completion(message, &[]).is_some()))?;
    }
    Ok(())
}
