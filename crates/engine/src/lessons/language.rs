//! What is asked and said after going back. These few texts are also said in hooks, so they are not read from a file. (LS1)

pub use texts::Language;

/// The one question, and the answers to it.
pub trait Question {
    /// The question on a terminal; an empty answer skips it.
    fn question(self) -> &'static str;
    /// The same in a chat, where nothing can be asked and waited for.
    fn invitation(self, word: &str) -> String;
    /// A lesson was kept.
    fn thanks(self, id: &str, known_before: bool) -> String;
}

impl Question for Language {
    fn question(self) -> &'static str {
        match self {
            Self::En => "What should the agent do differently next time? (Enter skips)",
            Self::Ko => "다음에는 에이전트가 무엇을 다르게 해야 할까요? (건너뛰려면 Enter)",
            Self::Zh => "下次代理应该怎么做才不一样？（按回车跳过）",
        }
    }

    fn invitation(self, word: &str) -> String {
        match self {
            Self::En => format!(
                "What should the agent do differently next time? To leave a lesson for the agent, send: {word} TEXT"
            ),
            Self::Ko => format!(
                "다음에는 에이전트가 무엇을 다르게 해야 할까요? 에이전트에게 교훈을 남기려면 이렇게 보내세요: {word} 내용"
            ),
            Self::Zh => format!("下次代理应该怎么做才不一样？要给代理留下经验，请发送：{word} 内容"),
        }
    }

    fn thanks(self, id: &str, known_before: bool) -> String {
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
