//! The language of the one question after going back. (LS1)

use project::Context;
use serde::{Deserialize, Serialize};

/// A language in which vib asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
    /// Chinese.
    Zh,
}

impl Language {
    /// What the environment says, in the order in which programs look: `LC_ALL`, `LC_MESSAGES`, `LANG`.
    pub fn of_environment(context: &Context) -> Self {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| context.variable(name));
        match set.as_deref().and_then(|value| value.to_str()).and_then(|value| value.get(..2)) {
            Some("ko") => Self::Ko,
            Some("zh") => Self::Zh,
            _ => Self::En,
        }
    }

    /// The language of somebody's words, where the script tells; else what the environment says.
    pub fn of_words(text: &str, context: &Context) -> Self {
        let hangul = |letter: char| matches!(letter, '\u{ac00}'..='\u{d7a3}');
        let han = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}');
        if text.chars().any(hangul) {
            Self::Ko
        } else if text.chars().any(han) {
            Self::Zh
        } else {
            Self::of_environment(context)
        }
    }

    /// The question on a terminal; an empty answer skips it.
    pub fn question(self) -> &'static str {
        match self {
            Self::En => "What should the agent do differently next time? (Enter skips)",
            Self::Ko => "다음에는 에이전트가 무엇을 다르게 해야 할까요? (건너뛰려면 Enter)",
            Self::Zh => "下次智能体应该怎么做才不一样？（按回车跳过）",
        }
    }

    /// The same in a chat, where nothing can be asked and waited for.
    pub fn invitation(self, word: &str) -> String {
        match self {
            Self::En => format!(
                "What should the agent do differently next time? To leave a lesson for the agent, send: {word} TEXT"
            ),
            Self::Ko => format!(
                "다음에는 에이전트가 무엇을 다르게 해야 할까요? 에이전트에게 교훈을 남기려면 이렇게 보내세요: {word} 내용"
            ),
            Self::Zh => format!("下次智能体应该怎么做才不一样？要给智能体留下经验，请发送：{word} 内容"),
        }
    }

    /// A lesson was kept.
    pub fn thanks(self, id: &str, known_before: bool) -> String {
        match (self, known_before) {
            (Self::En, false) => {
                format!("Kept as lesson `{id}` in LESSONS.md; you can change or delete it there.")
            }
            (Self::En, true) => format!("LESSONS.md already has this as lesson `{id}`."),
            (Self::Ko, false) => {
                format!("LESSONS.md에 교훈 `{id}`(으)로 저장했습니다. 그 파일에서 고치거나 지울 수 있습니다.")
            }
            (Self::Ko, true) => format!("LESSONS.md에 이미 교훈 `{id}`(으)로 있습니다."),
            (Self::Zh, false) => format!("已作为经验 `{id}` 保存到 LESSONS.md，可以在那里修改或删除。"),
            (Self::Zh, true) => format!("LESSONS.md 中已有这条经验 `{id}`。"),
        }
    }
}
