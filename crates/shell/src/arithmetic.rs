//! Is this arithmetic? The parser takes shells in shells, `( ( cmd ) )`, for `(( expr ))`; the text in between tells.

/// Whether a text is a whole arithmetic expression: operands and operators in turn, brackets balanced.
pub(crate) fn is_arithmetic(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut open, mut operand) = (0usize, 0usize, true);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if operand {
            match byte {
                b'(' => {
                    open += 1;
                    at += 1;
                }
                b'+' | b'-' | b'!' | b'~' => at += 1,
                // `for ((;;))` and `x[]=` leave an operand out before a bracket; nothing else does.
                _ => match operand_end(bytes, at) {
                    Some(end) => {
                        at = end;
                        operand = false;
                    }
                    None => return false,
                },
            }
        } else if byte == b')' {
            if open == 0 {
                return false;
            }
            open -= 1;
            at += 1;
        } else if bytes[at..].starts_with(b"++") || bytes[at..].starts_with(b"--") {
            // After an operand: `x++`, or `x + +y`.
            let rest = text[at + 2..].trim_start();
            let binary = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '('));
            operand = binary;
            at += 2;
        } else {
            match operator_length(&bytes[at..]) {
                Some(length) => {
                    at += length;
                    operand = true;
                }
                None => return false,
            }
        }
    }
    open == 0 && (!operand || text.trim().is_empty())
}

fn operand_end(bytes: &[u8], at: usize) -> Option<usize> {
    let name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#' | b'@' | b'.');
    let mut end = match bytes[at] {
        b'$' => match bytes.get(at + 1) {
            Some(b'{') => closed(bytes, at + 2, b'{', b'}')?,
            Some(b'(') => closed(bytes, at + 2, b'(', b')')?,
            Some(_) => at + 2,
            None => return None,
        },
        quote @ (b'"' | b'\'' | b'`') => {
            let length = bytes[at + 1..].iter().position(|byte| *byte == quote)?;
            at + length + 2
        }
        byte if name(byte) => at + 1,
        _ => return None,
    };
    while end < bytes.len() && name(bytes[end]) {
        end += 1;
    }
    // `a[i]`.
    if bytes.get(end) == Some(&b'[') {
        end = closed(bytes, end + 1, b'[', b']')?;
    }
    // Parts that stand together, `${a}5$b`, are one operand.
    if matches!(bytes.get(end), Some(b'$' | b'"' | b'\'')) {
        return operand_end(bytes, end);
    }
    Some(end)
}

fn closed(bytes: &[u8], mut at: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 1usize;
    while at < bytes.len() {
        if bytes[at] == open {
            depth += 1;
        } else if bytes[at] == close {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        }
        at += 1;
    }
    None
}

fn operator_length(rest: &[u8]) -> Option<usize> {
    const OPERATORS: &[&str] = &[
        "<<=", ">>=", "**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
        "&=", "^=", "|=", "*", "/", "%", "+", "-", "<", ">", "&", "^", "|", "?", ":", "=", ",",
    ];
    OPERATORS.iter().find(|operator| rest.starts_with(operator.as_bytes())).map(|operator| operator.len())
}

#[cfg(test)]
mod tests {
    use super::is_arithmetic;

    #[test]
    fn expressions_are() {
        for yes in [
            "",
            "1",
            "x++",
            "i = 0",
            "a + b * (c - 1)",
            "x > 5 && y != 3",
            "n % 2 == 0 ? 1 : -1",
            "a[i] += 2",
            "$x + ${y:-1}",
            "$(date +%s) - start",
            "i+++j",
            "!done",
            "16#ff << 2",
            "a, b = 3",
            "$#-1",
            "\"$a\" + 1",
            "--i",
            "${#arr[@]} > 0",
            "x ** 2",
        ] {
            assert!(is_arithmetic(yes), "{yes}");
        }
    }

    #[test]
    fn commands_are_not() {
        for no in [
            "echo hello",
            "ls -la src",
            "cat a; ls",
            "make && echo 1 2",
            "a | b | c d",
            "x) ; (y",
            "tool --flag x",
            "(1))) ; ( ( ls ",
            "$(",
            "1 +",
        ] {
            assert!(!is_arithmetic(no), "{no}");
        }
    }
}
