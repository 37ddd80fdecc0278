//! How many tokens a model makes of a text, without any model's own table: about, and at the most.

/// About how many: four letters of the Latin alphabet a token, any other letter one. For choosing what to show first.
pub fn estimate_tokens(text: &str) -> usize {
    let wide = text.chars().filter(|char| !char.is_ascii()).count();
    let ascii = text.bytes().filter(u8::is_ascii).count();
    wide + ascii.div_ceil(4)
}

/// An upper estimate: models differ, and a page that promises to fit has to fit for all of them. Words of letters count one token
/// for every three letters, digits one for every two, every other sign one; a sign of Chinese, Japanese or Korean counts two,
/// anything rarer three.
pub fn upper_tokens(text: &str) -> usize {
    let (mut tokens, mut letters, mut digits) = (0, 0_usize, 0_usize);
    for sign in text.chars() {
        if sign.is_ascii_alphabetic() {
            letters += 1;
            continue;
        }
        if sign.is_ascii_digit() {
            digits += 1;
            continue;
        }
        tokens += letters.div_ceil(3) + digits.div_ceil(2);
        (letters, digits) = (0, 0);
        tokens += match sign {
            // A single space belongs to the word behind it.
            ' ' => 0,
            _ if sign.is_ascii() => 1,
            _ if (sign as u32) < 0x1_0000 => 2,
            _ => 3,
        };
    }
    tokens + letters.div_ceil(3) + digits.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::upper_tokens;

    #[test]
    fn it_is_never_below_what_is_usual() {
        // A common rule of thumb is four letters a token; ours must be above it.
        let english = "The quick brown fox jumps over the lazy dog and runs away from the cat.";
        assert!(upper_tokens(english) >= english.len() / 4, "{}", upper_tokens(english));
        assert!(upper_tokens("로그인을 고쳐주세요") >= 18);
        assert!(upper_tokens("请修复登录问题") >= 14);
        assert_eq!(upper_tokens(""), 0);
        assert!(upper_tokens("{}[]();:") >= 8);
    }
}
