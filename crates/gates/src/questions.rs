//! Which questions a stored answer may answer. (MM12)

/// Words of questions that only a person answers, each time: permissions, deletions, keys, money, what others see.
const ONLY_A_PERSON: &[&str] = &[
    "allow",
    "permission",
    "permit",
    "approve",
    "authori",
    "grant",
    "sudo",
    "root access",
    "delete",
    "remove",
    "drop ",
    "destroy",
    "wipe",
    "erase",
    "purge",
    "overwrite",
    "discard",
    "reset",
    "force",
    "truncate",
    "password",
    "passphrase",
    "secret",
    "token",
    "credential",
    "api key",
    "apikey",
    "private key",
    "login",
    "log in",
    "pay",
    "purchase",
    "billing",
    "charge",
    "deploy",
    "publish",
    "release",
    "production",
    "push",
    "merge to",
    "send ",
    "revoke",
    "may i run",
    "can i run",
    "uninstall",
    "install",
    "disable",
    "bypass",
    "허용",
    "권한",
    "승인",
    "삭제",
    "제거",
    "지울",
    "지워",
    "덮어",
    "초기화",
    "비밀번호",
    "암호",
    "토큰",
    "자격 증명",
    "결제",
    "배포",
    "게시",
    "許可",
    "承認",
    "権限",
    "削除",
    "消去",
    "上書き",
    "破棄",
    "パスワード",
    "秘密",
    "トークン",
    "認証情報",
    "支払",
    "デプロイ",
    "公開",
    "本番",
    "允许",
    "权限",
    "批准",
    "授权",
    "删除",
    "移除",
    "清空",
    "覆盖",
    "丢弃",
    "重置",
    "密码",
    "口令",
    "密钥",
    "令牌",
    "凭证",
    "付款",
    "部署",
    "发布",
    "生产环境",
];

/// False for a question about a permission, a deletion, a key and the like, whatever its options say.
pub fn may_be_answered(question: &str, options: &[String]) -> bool {
    let is_free = |text: &str| {
        let text = text.to_lowercase();
        !ONLY_A_PERSON.iter().any(|words| text.contains(words))
    };
    is_free(question) && options.iter().all(|option| is_free(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_deletions_and_keys_are_never_answered_mm12() {
        for question in [
            "May I delete the old table?",
            "Which API key should I use?",
            "Do you allow me to run this?",
            "이 파일을 삭제할까요?",
            "本番にデプロイしますか？",
            "要删除这些文件吗？",
        ] {
            assert!(!may_be_answered(question, &[]), "{question}");
        }
        assert!(!may_be_answered("How shall I go on?", &["Delete everything".to_owned()]));
        for question in ["Tabs or spaces?", "Which port should the server use?", "따옴표는 어떤 것을 쓸까요?"]
        {
            assert!(may_be_answered(question, &["2".to_owned()]), "{question}");
        }
    }
}
