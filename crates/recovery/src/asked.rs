//! Did somebody ask for it? What a request itself names is no accident. (R3, R9)

use crate::paths::{same_word, words};
use crate::signals::{Change, Kind};

/// Kinds of wishes that explain much change at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Delete,
    Rename,
    Replace,
    Rewrite,
    Format,
    GoBack,
    Dependencies,
    Tests,
    Make,
    Mode,
    Build,
    Shrink,
}

#[rustfmt::skip]
const WISHES: &[(Wish, &[&str])] = &[
    (Wish::Delete, &[
        "delete", "remove", "drop", "clean", "get rid", "throw away", "throw out", "don't need", "do not need", "no longer need", "dedup", "filter", "prune", "dont need", "not needed", "unused", "strip",
        "삭제", "지워", "지우", "제거", "없애", "정리", "필요 없", "필요없", "删除", "删掉", "删了", "移除", "去掉", "清理", "不需要", "削除", "消して", "取り除", "いらない", "不要な",
    ]),
    (Wish::Rename, &[
        "rename", "move", "convert", "migrate", "call ", "split", "merge", "extract", "이름", "옮겨", "옮기", "이동", "나눠", "합쳐", "重命名", "改名", "移动", "迁移", "拆分", "合并", "改叫", "名前", "移動", "リネーム",
    ]),
    (Wish::Replace, &[
        "rename", "replace", "everywhere", "change all", "change it", "change the name", "instead of", "called", "call ", "swap", "substitute", "바꿔", "바꾸", "교체", "替换", "改成", "换成", "置き換え", "変更して",
    ]),
    (Wish::Rewrite, &[
        "rewrite", "from scratch", "start over", "redo", "rework", "refactor", "restructure", "simplify", "shorten", "replace", "reduce", "trim", "cut", "slim", "inline", "disable",
        "다시 작성", "다시 써", "다시 만들", "처음부터", "리팩", "간단", "줄여", "교체", "重写", "重构", "重新", "简化", "精简", "缩短", "書き直", "作り直", "簡単", "リファクタ", "短く",
    ]),
    (Wish::Format, &[
        "format", "prettier", "indent", "lint", "black", "gofmt", "rustfmt", "line ending", "crlf", "lf ", "white space", "whitespace", "tabs", "spaces", "정렬해", "포맷", "들여쓰기", "줄바꿈", "格式", "缩进", "换行", "整形", "フォーマット", "インデント",
    ]),
    (Wish::GoBack, &[
        "revert", "undo", "reset", "roll back", "rollback", "go back", "switch to", "check out", "checkout", "discard", "stash", "throw away", "restore", "clean", "되돌", "취소", "버려", "撤销", "回退", "还原", "恢复", "丢弃", "戻し", "取り消", "破棄",
    ]),
    (Wish::Dependencies, &[
        "depend", "package", "install", "upgrade", "update", "bump", "library", "lock file", "lockfile", "npm", "cargo", "pip", "version", "의존", "패키지", "설치", "업그레이드", "업데이트", "버전", "依赖", "安装", "升级", "更新", "版本", "依存", "インストール", "アップグレード", "更新",
    ]),
    (Wish::Tests, &["test", "spec", "테스트", "测试", "テスト"]),
    (Wish::Mode, &["executable", "permission", "chmod", "runnable", "mode", "실행", "권한", "可执行", "权限", "実行", "権限"]),
    (Wish::Build, &[
        "build", "bundle", "compile", "minify", "transpile", "generate", "regenerate", "package it", "publish", "release", "deploy", "render", "export", "빌드", "번들", "컴파일", "패키징", "묶어", "배포", "압축", "생성", "构建", "打包", "编译", "发布", "部署", "压缩", "生成", "ビルド", "バンドル", "コンパイル", "リリース", "デプロイ", "圧縮", "生成",
    ]),
    (Wish::Shrink, &[
        "smaller", "compress", "shrink", "minify", "optimi", "downscale", "resize", "thumbnail", "reset", "empty", "clear", "작게", "압축", "줄여", "최적화", "비워", "초기화", "压缩", "变小", "缩小", "优化", "清空", "重置", "小さく", "圧縮", "最適化", "縮小", "空に", "初期化",
    ]),
    (Wish::Make, &[
        "create", "generate", "scaffold", "make ", "write ", "add ", "init", "set up", "setup", "split", "produce", "export", "dump", "만들", "생성", "추가", "创建", "生成", "添加", "新建", "作成", "作って", "追加",
    ]),
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

/// Words of paths and requests that say nothing about which file is meant.
const COMMON: &[&str] = &[
    "src", "app", "lib", "test", "tests", "js", "ts", "tsx", "jsx", "py", "rs", "go", "md", "json", "toml",
    "yaml", "yml", "html", "css", "index", "main", "mod", "init", "the", "file", "files", "and", "for",
    "with", "from", "that", "this", "make", "add", "new", "use", "all", "into", "when", "fix", "change",
    "update", "remove", "delete", "please", "not", "more", "show", "let", "set", "get", "return", "function",
    "const", "def", "class", "pub", "import", "export", "need", "any", "you", "our", "can", "should", "does",
    "why", "how", "what", "there", "have", "has", "was", "are", "its", "run", "but", "out", "only", "also",
    "then", "now", "will", "would", "could", "about", "which", "them", "they", "instead", "each", "every",
    "some", "two", "three", "too", "rename", "move", "call", "look", "check", "tell", "say", "write",
    "rewrite", "create", "give", "keep", "own", "text", "data", "value", "name", "true", "false", "none",
    "null", "self", "string", "let's", "code", "project",
];

/// The request names this path: one of its words, as far as it is not a word of every path.
pub(crate) fn names(request: Option<&str>, path: &str) -> bool {
    named_by(request, path).is_some()
}

/// The word of the request that is also a word of the path.
pub(crate) fn named_by(request: Option<&str>, path: &str) -> Option<String> {
    let request = request?;
    let name = crate::paths::name(path);
    if request.contains(path) || (name.len() > 3 && request.to_lowercase().contains(&name.to_lowercase())) {
        return Some(name.to_owned());
    }
    let said = words(request);
    words(path)
        .into_iter()
        .filter(|word| word.chars().count() > 2 && !COMMON.contains(&word.as_str()))
        .find(|word| said.iter().any(|other| same_word(word, other)))
}

/// The word of the request that a change speaks of: in its path, in the names it touched, in the lines that came or went.
pub(crate) fn spoken_of(request: Option<&str>, change: &Change) -> Option<String> {
    if let Some(word) = named_by(request, &change.path) {
        return Some(word);
    }
    if let Some(word) = names_symbol(request, change) {
        return Some(word);
    }
    let facts = &change.made;
    telling_words(request?).into_iter().find(|word| facts.words.iter().any(|other| same_word(other, word)))
}

/// One of its telling words stands in a text; a request without any speaks of everything.
pub(crate) fn speaks_of_text(request: Option<&str>, text: &str) -> bool {
    let Some(request) = request else { return false };
    let said = telling_words(request);
    let there = words(text);
    said.is_empty() || said.iter().any(|word| there.iter().any(|other| same_word(other, word)))
}

/// The word of the request that names something which the change defines or takes away.
fn names_symbol(request: Option<&str>, change: &Change) -> Option<String> {
    let said = telling_words(request?);
    let facts = &change.made;
    facts.names_lost.iter().chain(&facts.names_new).find_map(|name| {
        let parts = words(name);
        said.iter().find(|word| parts.iter().any(|part| same_word(part, word))).cloned()
    })
}

/// Words of a request that say which file is meant.
fn telling_words(request: &str) -> Vec<String> {
    words(request)
        .into_iter()
        .filter(|word| word.chars().count() > 2 && !COMMON.contains(&word.as_str()))
        .collect()
}

/// The request asked that this goes: it speaks of deleting, and of the file or of what was in it. Words in a language that
/// names no path at all are taken as asking for the few files that went.
pub(crate) fn asked_deletion(request: Option<&str>, change: &Change, few: bool) -> bool {
    if !wishes(request, Wish::Delete) {
        return false;
    }
    // A file that goes is named by its path or by what it defines, not by a word somewhere in it.
    let named = match change.kind {
        Kind::Removed => named_by(request, &change.path).is_some() || names_symbol(request, change).is_some(),
        _ => spoken_of(request, change).is_some(),
    };
    if named {
        return true;
    }
    let says_latin =
        request.is_some_and(|request| words(request).iter().any(|word| word.is_ascii() && word.len() > 2));
    few && !says_latin
}

/// What a build that was asked for writes, with the word that asked for it.
pub(crate) fn asked_build(request: Option<&str>, change: &Change) -> Option<String> {
    let text = request?.to_lowercase();
    let marks = WISHES.iter().filter(|(kind, _)| *kind == Wish::Build).flat_map(|(_, marks)| marks.iter());
    let word = marks.into_iter().find(|mark| said(&text, mark))?;
    crate::paths::is_generated(&change.path).then(|| (*word).to_owned())
}

/// It speaks of texts that people read, and of nothing else in the project.
pub(crate) fn only_texts(request: Option<&str>) -> bool {
    const TEXTS: &[&str] = &[
        "in the texts",
        "in the text",
        "in the docs",
        "in the documentation",
        "in the copy",
        "in the wording",
        "only in comments",
        "in the readme",
        "문구에서",
        "문서에서",
        "텍스트에서",
        "文案里",
        "文案中",
        "文档里",
        "文档中",
        "文言の",
        "文章の中",
        "ドキュメントの",
    ];
    request.map(str::to_lowercase).is_some_and(|request| TEXTS.iter().any(|mark| request.contains(mark)))
}

/// An edit that names the text it replaces knows what was there; what is written as a whole need not.
pub fn knows_what_was_there(tool: Option<&str>) -> bool {
    tool.is_some_and(|tool| {
        let tool = tool.to_ascii_lowercase();
        ["edit", "replace", "patch"].iter().any(|word| tool.contains(word))
    })
}

/// A command that throws away what is not committed: `git checkout .`, `restore`, `reset --hard`, `stash`, `clean`. (R4)
pub(crate) fn throws_away(command: &str) -> bool {
    let pieces = command.split(['\n', ';', '|', '&', '(', ')']);
    pieces.into_iter().any(|piece| {
        let mut words = piece.split_whitespace().skip_while(|word| {
            matches!(*word, "sudo" | "env" | "command" | "time" | "nohup" | "then" | "do" | "exec")
                || word.contains('=')
        });
        if !words.next().is_some_and(|word| word == "git" || word.ends_with("/git")) {
            return false;
        }
        let mut rest: Vec<&str> = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "-C" | "-c" | "--git-dir" | "--work-tree" if rest.is_empty() => {
                    words.next();
                }
                _ if rest.is_empty() && word.starts_with('-') => {}
                _ => rest.push(word),
            }
        }
        let Some((verb, rest)) = rest.split_first() else { return false };
        let has = |flags: &[&str]| rest.iter().any(|word| flags.contains(word));
        match *verb {
            "checkout" => {
                has(&[".", "--", "-f", "--force", "./"])
                    || rest.iter().any(|word| word.contains('.') && !word.starts_with('-'))
            }
            "restore" => !has(&["--staged", "-S"]) || has(&["--worktree", "-W"]),
            "reset" => has(&["--hard", "--merge", "--keep"]),
            "stash" => !matches!(
                rest.first(),
                Some(&("pop" | "apply" | "list" | "show" | "branch" | "drop" | "clear" | "create"))
            ),
            "clean" => !has(&["-n", "--dry-run"]),
            "switch" => has(&["-f", "--force", "--discard-changes"]),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_heard_in_four_languages_and_not_in_parts_of_words() {
        assert!(wishes(Some("please remove the mail service"), Wish::Delete));
        assert!(wishes(Some("메일 서비스를 삭제해 줘"), Wish::Delete));
        assert!(wishes(Some("把邮件服务删掉"), Wish::Delete));
        assert!(wishes(Some("メールを削除して"), Wish::Delete));
        assert!(!wishes(Some("show more information"), Wish::Format));
        assert!(wishes(Some("formatting is off"), Wish::Format));
        assert!(names(Some("remove the mail service"), "src/services/mail.js"));
        assert!(!names(Some("tidy up the login"), "src/services/pay.js"));
    }

    #[test]
    fn commands_that_throw_work_away_are_known_r4() {
        for command in [
            "git checkout .",
            "cd src && git checkout -- a.js",
            "git restore src/a.js",
            "git reset --hard HEAD~1",
            "git stash && npm test",
            "git stash -u",
            "git clean -fdx",
            "GIT_TRACE=1 git -C sub checkout -f main",
            "git checkout HEAD -- src/login.js",
        ] {
            assert!(throws_away(command), "{command}");
        }
        for command in [
            "git checkout main",
            "git checkout -b topic",
            "git restore --staged a.js",
            "git reset HEAD a.js",
            "git stash pop",
            "git stash list",
            "git clean -n",
            "git status",
            "echo 'git checkout .'",
            "ls",
        ] {
            assert!(!throws_away(command), "{command}");
        }
    }
}
