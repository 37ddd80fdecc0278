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

/// Places in the shell's grammar where a command can stand: `@` is the command, `'@'` the command in quotes.
const PLACES: &[&str] = &[
    "( @ )",
    "( ( @ ) )",
    "(( 1 )) ; ( ( @ ) )",
    "{ @; }",
    "if true; then @; fi",
    "if @; then :; fi",
    "if false; then :; elif true; then :; else @; fi",
    "for i in 1; do @; done",
    "for ((i=0; i<1; i++)); do @; done",
    "while @; do break; done",
    "until @; do :; done",
    "case x in x) @;; esac",
    "case $( @ ) in *) :;; esac",
    "! @",
    "@ &",
    "@ | cat",
    "true | @",
    "cat <(@)",
    "cat < <(@)",
    "echo x > >(@)",
    "echo $( @ )",
    "echo \"a $( @ ) b\"",
    "x=$( @ )",
    "x=(1 $( @ ))",
    "echo ${x:-$( @ )}",
    "echo \"${x:=$( @ )}\"",
    "echo $(( $( @ ) + 1 ))",
    "(( $( @ ) ))",
    "[[ -n $( @ ) ]]",
    "[[ a == b || -z \"$( @ )\" ]]",
    "f() { @; }; f",
    "function f { @; }; f",
    "f() ( @ ); f",
    "true && @",
    "false || @",
    "true; @",
    "true\n@",
    "@ > out 2>&1",
    "2>/dev/null @",
    "time @",
    "coproc @",
    "cat <<E\n$( @ )\nE",
    "cat <<< \"$( @ )\"",
    "eval '@'",
    "bash -c '@'",
    "trap '@' EXIT",
    "echo '@' | sh",
    "sh <<'E'\n@\nE",
    "select i in 1; do @; done",
    "A=1 B=2 @",
    "exec @",
    "command @",
    "set -e; @; echo done",
    "# note\n@",
    "true \\\n && @",
];

fn placed(place: &str, command: &str) -> String {
    let quoted = format!("'{}'", command.replace('\'', r"'\''"));
    let marked = place.replace("'@'", "\u{1}").replace('@', command);
    marked.replace('\u{1}', &quoted)
}

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
    fn wherever_it_stands_a_loss_is_seen(
        places in prop::collection::vec(prop::sample::select(PLACES), 1..4),
        command in prop::sample::select(&["rm -rf /home/u", "git push --force", "rm -rf ~/x", "git reset --hard"][..]),
    ) {
        let line = places.iter().fold(command.to_owned(), |line, place| placed(place, &line));
        prop_assert!(decide(&line) >= Decision::Ask, "{}", line);
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
