//! Does somebody say that something is gone? That is a complaint, and asks to look; "bring it back" is a wish.

/// Something is gone, missing, written over.
#[rustfmt::skip]
const LOST: &[&str] = &[
    "gone", "missing", "disappeared", "disappear", "vanished", "lost", "wiped", "erased", "deleted", "overwrote", "overwritten", "dropped", "no longer there", "not there", "isn't there", "aren't there", "can't find", "cannot find", "can not find", "went away", "cut off", "where did", "where is", "where are",
    "사라졌", "사라진", "사라져", "없어졌", "없어진", "없어져", "어디 있", "어디로 갔", "지워졌", "지워진", "날아갔", "날라갔", "삭제됐", "삭제되", "안 보여", "안보여", "안 보이", "덮어썼", "덮어써", "덮어쓴", "잃어버", "어디 갔", "지웠",
    "不见了", "没了", "丢了", "丢失", "消失", "被删", "被覆盖", "覆盖了", "没有了", "找不到", "删掉了", "少了", "不在了", "去哪", "在哪", "哪去了",
    "見当たらなく", "見つからなく", "消えた", "消えて", "消えちゃ", "消えました", "なくなった", "なくなって", "なくなり", "無くなっ", "失われ", "削除され", "上書きされ", "見つからない", "見当たらない", "消してしまった", "消しちゃ", "どこ",
];
/// Verbs that ask for it.
#[rustfmt::skip]
const ASKS: &[&str] = &[
    "restore", "recover", "bring", "back", "retrieve", "undo", "revert", "rollback", "get me", "give me",
    "복구", "복원", "되살", "찾아", "가져와", "살려", "돌려", "되돌", "취소", "恢复", "找回", "拿回", "弄回", "还原", "撤", "回退", "回滚", "復元", "復旧", "復活", "取り戻", "戻し", "戻す", "戻せ", "取り消",
];

/// Since when, or after what, something is wrong.
const SINCE: &[&str] = &[
    "since",
    "after",
    "부터",
    "뒤로",
    "이후",
    "후로",
    "고 나서",
    "以后",
    "之后",
    "以來",
    "てから",
    "以降",
    "の後",
    "たら",
];

/// It is said after what something went wrong.
pub(super) fn says_since(text: &str) -> bool {
    has(text, SINCE)
}

/// It is said that something is gone.
pub(super) fn says_lost(text: &str) -> bool {
    has(text, LOST)
}

/// And nothing more: nobody asks for it by a verb.
pub(super) fn only_complains(text: &str) -> bool {
    has(text, LOST) && !has(text, ASKS)
}

/// "It does not run any more" is said with the same word as "it is gone".
pub(super) fn without_no_longer(text: &str) -> String {
    let mut text = text.to_owned();
    for (at, mark) in text.clone().rmatch_indices("なくな") {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|letter| "かさたまらわばえけせてねへめれげべきしちみりいに".contains(letter))
        {
            text.replace_range(at..at + mark.len(), "-");
        }
    }
    text
}

fn has(text: &str, marks: &[&str]) -> bool {
    let text = without_no_longer(&text.to_lowercase().replace('’', "'"));
    let is_word = |at: usize, mark: &str| {
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let after = text[at + mark.len()..].chars().next().is_some_and(char::is_alphanumeric);
        !before && !after
    };
    marks.iter().any(|mark| text.match_indices(mark).any(|(at, _)| !mark.is_ascii() || is_word(at, mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_told_from_a_wish() {
        for text in
            ["the mobile layout is gone", "고객 데이터가 사라졌어", "日本語の翻訳が消えた", "样式没了"]
        {
            assert!(only_complains(text), "{text}");
        }
        for text in ["bring back the handbook that is gone", "사라진 파일 복구해줘", "恢复被删的文件"]
        {
            assert!(says_lost(text) && !only_complains(text), "{text}");
        }
        assert!(!says_lost("it broke") && !says_lost("the almost-golden button is red"));
    }
}
