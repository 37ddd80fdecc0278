//! Everything in an event that a model, a command or a person wrote passes the gate before it is written down. What names a thing (ids, lanes,
//! paths, hashes, codes) stays as it is: it has to be found again.

use redact::Gate;

use super::model::RunEvent;

pub(super) fn cleaned(mut event: RunEvent, gate: &mut Gate) -> RunEvent {
    let mut text = |text: &mut String| {
        if !text.is_empty() {
            *text = gate.clean(text).into_string();
        }
    };
    match &mut event {
        RunEvent::Started { task, .. } => text(task),
        RunEvent::Planned { cards } => {
            for card in cards {
                text(&mut card.title);
                card.acceptance.iter_mut().for_each(&mut text);
                card.steps.iter_mut().for_each(&mut text);
            }
        }
        RunEvent::Status { why, .. } => why.iter_mut().for_each(text),
        RunEvent::AttemptEnded { text: words, .. } => text(words),
        RunEvent::Rejected { message, .. } => text(message),
        RunEvent::CommandRan { command, tail, .. } => {
            text(command);
            text(tail);
        }
        RunEvent::Checked { checks, findings, .. } => {
            for check in checks {
                text(&mut check.command);
                text(&mut check.tail);
            }
            findings.iter_mut().for_each(text);
        }
        RunEvent::Meta { note, assumptions, .. } => {
            text(note);
            assumptions.iter_mut().for_each(text);
        }
        RunEvent::Paused { why, options, .. } => {
            text(why);
            options.iter_mut().for_each(text);
        }
        RunEvent::Resumed { answer } => answer.iter_mut().for_each(text),
        RunEvent::Compared { reasons, told, .. } => {
            reasons.iter_mut().for_each(&mut text);
            told.iter_mut().flat_map(|told| told.reason.texts()).for_each(text);
        }
        RunEvent::Branched { left_out, .. } => left_out.iter_mut().for_each(text),
        RunEvent::Committed { why, left_out, .. } => why.iter_mut().chain(left_out).for_each(text),
        RunEvent::AttemptBegan { .. }
        | RunEvent::ActionBegan { .. }
        | RunEvent::ActionEnded { .. }
        | RunEvent::Patched { .. }
        | RunEvent::ModelCalled { .. }
        | RunEvent::Switched { .. }
        | RunEvent::Adapted { .. }
        | RunEvent::Budget { .. }
        | RunEvent::Landed { .. }
        | RunEvent::Reverted { .. }
        | RunEvent::Dropped { .. }
        | RunEvent::Ended { .. } => {}
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::PrivacyContext;

    #[test]
    fn what_a_command_said_is_clean_and_what_names_a_thing_stays() {
        let mut gate = Gate::new(PrivacyContext::default());
        // Put together here, so that no file of ours holds what looks like a key.
        let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let event = RunEvent::CommandRan {
            card: "c1".to_owned(),
            n: 3,
            command: format!("curl -H 'Authorization: token {key}' x"),
            exit: Some(0),
            milliseconds: 1,
            tail: format!("token={key}\nok"),
        };
        let RunEvent::CommandRan { card, command, tail, .. } = cleaned(event, &mut gate) else {
            unreachable!()
        };
        assert_eq!(card, "c1");
        assert!(!command.contains(&key) && !tail.contains(&key), "{command} {tail}");
        assert!(tail.ends_with("ok"));
    }
}
