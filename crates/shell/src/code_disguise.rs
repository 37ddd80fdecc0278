//! Names that code on the command line hides from a reader: decoded, spelled by numbers, cut out of another text.
//!
//! What is only put together is worked out (see `code_values`). This is about the rest: nobody who deletes files of a project on the spot
//! writes their names in base64.

/// What turns something else into text.
const DECODES: &[&str] = &[
    "b64decode",
    "b32decode",
    "atob(",
    "'base64'",
    "\"base64\"",
    "fromhex",
    "unhexlify",
    "fromCharCode",
    "fromCodePoint",
    "rot13",
    "rot_13",
    "chr(",
    ".chr",
    "pack(",
    "decode64",
    "base64_decode",
    "hex2bin",
    "strrev(",
    "str_rot13",
    "bytes([",
    "bytearray([",
    "string.char(",
];

/// What makes another text of a literal.
const CHANGES: &[&str] = &[
    "strip(",
    "rstrip(",
    "lstrip(",
    "replace(",
    "lower(",
    "upper(",
    "swapcase",
    "casefold",
    "translate(",
    "removeprefix(",
    "removesuffix(",
    "toLowerCase",
    "toUpperCase",
    "slice(",
    "substring(",
    "substr(",
    "trim",
    "reverse",
    "tr(",
    "sub(",
    "gsub(",
    "downcase",
    "upcase",
    "delete(",
    "chop",
    "chomp",
    "squeeze",
    "replaceAll(",
];

/// Whether code that deletes what it computes hides what that is.
pub(crate) fn hides_a_name(code: &str) -> bool {
    DECODES.iter().any(|word| code.contains(word)) || changes_a_literal(code)
}

/// `'.git_'.rstrip('_')`.
fn changes_a_literal(code: &str) -> bool {
    ["'.", "\".", "`.", "')[", "'["].iter().any(|end| {
        code.match_indices(end).any(|(at, _)| {
            let rest = &code[at + end.len()..];
            match end.ends_with('.') {
                true => CHANGES.iter().any(|word| rest.starts_with(word)),
                // `'x.git'[1:]`, and not a list of names.
                false => rest.starts_with(|c: char| c.is_ascii_digit() || c == ':' || c == '-'),
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_name_is_told_from_an_ordinary_one() {
        for code in [
            "rmtree('.git_'.rstrip('_'))",
            "rmSync(Buffer.from('LmdpdA==','base64').toString())",
            "FileUtils.rm_rf(46.chr+'git')",
            "rmtree('x.git'[1:])",
            "rmtree(bytes.fromhex('2e676974').decode())",
        ] {
            assert!(hides_a_name(code), "{code}");
        }
        for code in [
            "[os.remove(f) for f in glob.glob('*.pyc')]",
            "for f in 'a.txt b.txt'.split(): os.remove(f)",
            "os.remove(sys.argv[1])",
            "fs.rmSync(path.join('dist', name), {recursive: true})",
            "os.remove(' '.join(parts))",
        ] {
            assert!(!hides_a_name(code), "{code}");
        }
    }
}
