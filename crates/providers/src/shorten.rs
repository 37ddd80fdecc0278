//! A question that fits: the oldest results of tools are left out. Words and calls stay, so that the conversation can still be followed.

use crate::estimate;
use crate::model::{ModelQuestion, Part};

/// What stands where a result was.
pub const LEFT_OUT: &str = "[left out: the conversation became too long; ask again if it is needed]";

/// The question with as many old results left out as it takes to come down to this many tokens. What the last message says stays. None: nothing
/// can be left out.
pub(crate) fn shorten(question: &ModelQuestion, target: u64) -> Option<ModelQuestion> {
    let mut shorter = question.clone();
    let mut tokens = estimate::question(question);
    let mut is_changed = false;
    let last = shorter.messages.len().saturating_sub(1);
    let parts = shorter.messages.iter_mut().take(last).flat_map(|message| &mut message.parts);
    for part in parts {
        if tokens <= target && is_changed {
            break;
        }
        let before = estimate::part(part);
        if let Part::Result { text, .. } = part
            && text.len() > LEFT_OUT.len()
        {
            LEFT_OUT.clone_into(text);
            is_changed = true;
            tokens = tokens.saturating_sub(before.saturating_sub(estimate::part(part)));
        }
    }
    is_changed.then_some(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Message, Role};

    fn result(id: &str, length: usize) -> Message {
        let part = Part::Result { id: id.to_owned(), text: "x".repeat(length), is_error: false };
        Message { role: Role::User, parts: vec![part] }
    }

    fn left(question: &ModelQuestion) -> Vec<bool> {
        let parts = question.messages.iter().flat_map(|message| &message.parts);
        parts.map(|part| matches!(part, Part::Result { text, .. } if text == LEFT_OUT)).collect()
    }

    #[test]
    fn the_oldest_go_first_the_last_message_stays_and_no_more_goes_than_has_to() {
        let messages =
            vec![Message::text(Role::User, "task"), result("a", 7000), result("b", 7000), result("c", 7000)];
        let question = ModelQuestion { messages, ..ModelQuestion::default() };
        let all = estimate::question(&question);
        let told = |target| shorten(&question, target).map(|shorter| left(&shorter));
        assert_eq!(told(all - 100), Some(vec![false, true, false, false]));
        assert_eq!(told(all / 2), Some(vec![false, true, true, false]));
        assert_eq!(told(0), Some(vec![false, true, true, false]));
        let short = ModelQuestion {
            messages: vec![Message::text(Role::User, "x".repeat(90_000))],
            ..ModelQuestion::default()
        };
        assert_eq!(shorten(&short, 10), None);
    }
}
