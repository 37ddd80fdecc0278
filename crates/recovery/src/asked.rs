//! Did somebody ask for it? What a request itself names is no accident.

use crate::paths::{same_word, words};

/// Kinds of wishes that explain much change at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Delete,
    Rename,
    Replace,
    Format,
    GoBack,
    Dependencies,
    Tests,
}

const WISHES: &[(Wish, &[&str])] = &[
    (
        Wish::Delete,
        &[
            "delete",
            "remove",
            "drop",
            "clean",
            "get rid",
            "throw away",
            "삭제",
            "지워",
            "제거",
            "없애",
            "정리",
            "删除",
            "删掉",
            "移除",
            "去掉",
            "清理",
        ],
    ),
    (
        Wish::Rename,
        &[
            "rename",
            "move",
            "convert",
            "migrate",
            "이름",
            "옮겨",
            "옮기",
            "이동",
            "重命名",
            "改名",
            "移动",
            "迁移",
        ],
    ),
    (
        Wish::Replace,
        &[
            "rename",
            "replace",
            "everywhere",
            "change all",
            "call ",
            "바꿔",
            "바꾸",
            "교체",
            "替换",
            "改成",
            "换成",
        ],
    ),
    (
        Wish::Format,
        &[
            "format",
            "prettier",
            "indent",
            "lint",
            "black",
            "gofmt",
            "rustfmt",
            "line ending",
            "crlf",
            "white space",
            "whitespace",
            "정렬해",
            "포맷",
            "들여쓰기",
            "格式",
            "缩进",
        ],
    ),
    (
        Wish::GoBack,
        &[
            "revert",
            "undo",
            "reset",
            "roll back",
            "rollback",
            "go back",
            "switch to",
            "check out",
            "checkout",
            "discard",
            "되돌",
            "취소",
            "撤销",
            "回退",
            "还原",
            "恢复",
        ],
    ),
    (
        Wish::Dependencies,
        &[
            "depend",
            "package",
            "install",
            "upgrade",
            "update the version",
            "bump",
            "library",
            "lock file",
            "lockfile",
            "npm",
            "cargo",
            "pip",
            "의존",
            "패키지",
            "설치",
            "업그레이드",
            "依赖",
            "安装",
            "升级",
        ],
    ),
    (Wish::Tests, &["test", "spec", "테스트", "测试"]),
];

/// The request speaks of this.
pub(crate) fn wishes(request: Option<&str>, wish: Wish) -> bool {
    let Some(request) = request.map(str::to_lowercase) else { return false };
    WISHES
        .iter()
        .filter(|(kind, _)| *kind == wish)
        .any(|(_, marks)| marks.iter().any(|mark| said(&request, mark)))
}

/// Latin words count from the beginning of a word ("format", "formatting"), others anywhere.
fn said(request: &str, mark: &str) -> bool {
    if !mark.is_ascii() {
        return request.contains(mark);
    }
    request
        .match_indices(mark)
        .any(|(at, _)| !request[..at].chars().next_back().is_some_and(char::is_alphanumeric))
}

/// The request speaks of deleting, and of this path: that it is gone is no accident.
pub fn asked_to_delete(request: Option<&str>, path: &str) -> bool {
    wishes(request, Wish::Delete) && names(request, path)
}

/// The request names this path: one of its words, as far as it is not a word of every path.
pub(crate) fn names(request: Option<&str>, path: &str) -> bool {
    const COMMON: &[&str] = &[
        "src", "app", "lib", "test", "tests", "js", "ts", "tsx", "jsx", "py", "rs", "go", "md", "json",
        "toml", "yaml", "yml", "html", "css", "index", "main", "mod", "init", "the", "file", "files", "and",
    ];
    let Some(request) = request else { return false };
    if request.contains(path) {
        return true;
    }
    let said = words(request);
    words(path)
        .iter()
        .filter(|word| word.chars().count() > 2 && !COMMON.contains(&word.as_str()))
        .any(|word| said.iter().any(|other| same_word(word, other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_heard_in_three_languages_and_not_in_parts_of_words() {
        assert!(wishes(Some("please remove the mail service"), Wish::Delete));
        assert!(wishes(Some("메일 서비스를 삭제해 줘"), Wish::Delete));
        assert!(wishes(Some("把邮件服务删掉"), Wish::Delete));
        assert!(!wishes(Some("show more information"), Wish::Format));
        assert!(wishes(Some("formatting is off"), Wish::Format));
        assert!(names(Some("remove the mail service"), "src/services/mail.js"));
        assert!(!names(Some("tidy up the login"), "src/services/pay.js"));
    }
}
