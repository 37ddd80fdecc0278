//! Whatever comes in: no panic, no hang, and disguise never makes a command look safer.

use proptest::prelude::*;
use shell::{Covered, Decision, JudgeContext, NoFiles, Policy, judge};

fn decide(command: &str) -> Decision {
    let mut context = JudgeContext::new("/home/u/app", "/home/u", &NoFiles);
    context.covered = Covered::Ask;
    let verdict = judge(command, &context, &Policy::default());
    // The judge catches its own panics and asks; a test must not take that for an answer.
    assert!(verdict.reasons.iter().all(|reason| reason.code != "judge_failed"), "failed on {command:?}");
    verdict.decision
}

/// Pieces that shells give meaning to.
const PIECES: &[&str] = &[
    "rm",
    "-rf",
    "/",
    "~",
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "{",
    "}",
    "((",
    "))",
    "[[",
    "]]",
    ";",
    "|",
    "&",
    "&&",
    "||",
    "<<EOF\n",
    "EOF\n",
    "<(",
    ">",
    ">>",
    "<",
    "2>&1",
    "$",
    "${",
    "x=1",
    "eval",
    "sh -c",
    "xargs",
    "find . -exec",
    "\\;",
    "git",
    "reset",
    "--hard",
    "if",
    "then",
    "fi",
    "for i in",
    "do",
    "done",
    "case x in",
    "esac",
    "f(){",
    "python -c",
    "\n",
    " ",
    "\\",
    "*",
    "é",
    "\u{F8FF}",
    "a",
    "base64 -d",
    "echo",
    "$'\\x72'",
    "!",
    "#",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_judged(text in "\\PC{0,200}") {
        decide(&text);
    }

    #[test]
    fn any_mix_of_shell_pieces_is_judged(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        decide(&pieces.join(" "));
        decide(&pieces.concat());
    }

    #[test]
    fn wrapping_never_makes_a_loss_look_safe(
        wraps in prop::collection::vec(prop::sample::select(&["sudo ", "env ", "nohup ", "timeout 5 ", "command ", "nice -n 5 ", "FOO=1 ", "true && ", "\\", "time "][..]), 0..5),
    ) {
        let command = format!("{}rm -rf /home/u", wraps.concat());
        prop_assert!(decide(&command) >= Decision::Ask, "{}", command);
    }

    #[test]
    fn quoting_into_shells_never_makes_a_loss_look_safe(depth in 1usize..5) {
        let mut command = "git reset --hard".to_owned();
        for _ in 0..depth {
            command = format!("bash -c '{}'", command.replace('\'', r"'\''"));
        }
        prop_assert!(decide(&command) >= Decision::Ask, "{}", command);
    }
}

#[test]
fn deep_and_long_input_is_answered() {
    for text in [
        "(",
        "((",
        "$(",
        "$((",
        "{ ",
        "`",
        "\"$(",
        "if true; then ",
        "<(",
        "${x:-",
        "[[ ! ",
        "! ",
        "a|",
        "a&&",
        "\\",
        "<<E ",
        "case x in x) ",
        "f(){ ",
        "{a,",
        "{1..9}",
        "eval ",
        "$'",
        "[",
        "@(",
    ] {
        for count in [5, 50, 119, 2_000, 40_000] {
            decide(&text.repeat(count));
        }
    }
    let mut nested = "rm -rf /".to_owned();
    for _ in 0..40 {
        nested = format!("echo $({nested})");
    }
    assert!(decide(&nested) >= Decision::Ask);
    assert!(decide(&"true; ".repeat(20_000)) >= Decision::Ask);
}
