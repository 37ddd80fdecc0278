//! The stories, told with Claude Code.

use vib_e2e::Client::ClaudeCode;

use crate::stories;

#[test]
fn what_the_shell_damaged_is_undone() {
    stories::damage_is_undone(ClaudeCode);
}

#[test]
fn calls_in_one_answer_are_undone() {
    stories::calls_at_once_are_undone(ClaudeCode);
}

#[test]
fn the_context_is_in_the_models_request() {
    stories::context_reaches_the_model(ClaudeCode);
}

#[test]
fn a_destructive_command_outside_is_denied() {
    stories::outside_is_denied(ClaudeCode);
}

#[test]
fn a_spiral_is_blocked() {
    stories::spiral_is_blocked(ClaudeCode);
}

#[test]
fn a_rollback_in_the_chat_is_previewed_and_done() {
    stories::chat_rolls_back(ClaudeCode);
}

#[test]
fn a_lesson_reaches_the_next_session() {
    stories::lesson_reaches_the_next_session(ClaudeCode);
}

#[test]
fn c4_the_last_call_is_known_and_lost_hooks_are_missed() {
    stories::the_last_call_is_known_and_lost_hooks_are_missed(ClaudeCode);
}
