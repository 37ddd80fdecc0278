//! Long answers on a terminal (H9).

use std::process::Command;

use testkit::Sandbox;

use super::shop;
use super::terminal::Terminal;

/// A project with a difference of 100 lines.
fn with_a_long_diff() -> Sandbox {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("long.txt", (0..100).map(|number| format!("line {number}\n")).collect::<String>());
    shop
}

/// A pager that says that it was there. Its name is a name only, so what it does is in the file.
fn pager(shop: &Sandbox, script: &str) -> String {
    let path = shop.base().join("pager");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    assert!(Command::new("chmod").arg("755").arg(&path).status().unwrap().success());
    path.to_str().unwrap().to_owned()
}

#[track_caller]
fn on_a_screen(shop: &Sandbox, rows: u16, words: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = shop.command(words);
    command.env("TERM", "xterm").env("NO_COLOR", "1").envs(environment.iter().copied());
    Terminal::new(rows, 80).run(&mut command)
}

const ALL: [&str; 3] = ["diff --git a/long.txt", "+line 0\n", "+line 99\n"];

#[track_caller]
fn is_whole(seen: &str) {
    assert!(ALL.iter().all(|part| seen.contains(part)), "{seen}");
}

#[test]
fn h9_a_long_answer_goes_through_the_pager() {
    let shop = with_a_long_diff();
    let own = pager(&shop, "echo PAGED; cat; echo \"LESS=$LESS\"");
    for environment in [
        &[("VIB_PAGER", own.as_str()), ("PAGER", "false")][..],
        &[("PAGER", &own)],
        &[("PAGER", &format!("{own} | sed s/^P/P/"))],
    ] {
        let seen = on_a_screen(&shop, 24, &["diff"], environment);
        assert!(seen.contains("PAGED"), "{seen}");
        assert!(seen.contains("LESS=FRX"), "{seen}");
        is_whole(&seen);
    }
    let id = shop.checkpoint("long");
    for words in [&["show", &id][..], &["show", &id, "long.txt"]] {
        assert!(on_a_screen(&shop, 24, words, &[("PAGER", &own)]).contains("PAGED"), "{words:?}");
    }
    assert!(on_a_screen(&shop, 2, &["history"], &[("PAGER", &own)]).contains("PAGED"));
}

#[test]
fn h9_no_pager_where_none_is_wanted_or_needed() {
    let shop = with_a_long_diff();
    let own = pager(&shop, "echo PAGED; cat");
    let not_paged = |seen: String| {
        assert!(!seen.contains("PAGED"), "{seen}");
        is_whole(&seen);
    };
    not_paged(on_a_screen(&shop, 24, &["diff", "--no-pager"], &[("PAGER", &own)]));
    not_paged(on_a_screen(&shop, 24, &["--no-pager", "diff"], &[("PAGER", &own)]));
    not_paged(on_a_screen(&shop, 24, &["diff"], &[("PAGER", &own), ("VIB_PAGER", "cat")]));
    not_paged(on_a_screen(&shop, 24, &["diff"], &[("PAGER", &own), ("TERM", "dumb")]));
    // It fits the screen.
    not_paged(on_a_screen(&shop, 200, &["diff"], &[("PAGER", &own)]));
    // Not a terminal; or nobody there to press keys.
    not_paged(Sandbox::run(shop.command(&["diff"]).env("PAGER", &own)).stdout);
    let terminal = Terminal::new(24, 80);
    let mut behind = Command::new("sh");
    let vib = shop.command(&["diff"]);
    behind.arg("-c").arg(format!("{} diff < /dev/null", vib.get_program().to_str().unwrap()));
    behind.current_dir(shop.root()).env_clear();
    behind
        .envs(vib.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("PAGER", &own)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1");
    not_paged(terminal.run(&mut behind));
    // For programs.
    let json = on_a_screen(&shop, 3, &["diff", "--json"], &[("PAGER", &own)]);
    assert!(!json.contains("PAGED"), "{json}");
}

#[test]
fn h9_a_pager_that_is_not_there_or_dies_loses_nothing() {
    let shop = with_a_long_diff();
    for (line, script) in [
        ("no-such-pager-anywhere", ""),
        ("no-such-pager-anywhere | cat 1>&2 && exit 9", ""),
        ("false", ""),
        ("", "exit 3"),
        ("", "head -c 10 > /dev/null; exit 3"),
        ("", "kill -9 $$"),
        ("", "exec 0<&-; exit 1"),
    ] {
        let own = if line.is_empty() { pager(&shop, script) } else { line.to_owned() };
        is_whole(&on_a_screen(&shop, 24, &["diff"], &[("PAGER", &own)]));
    }
    // No pager at all on this machine.
    let empty = shop.base().join("empty");
    std::fs::create_dir(&empty).unwrap();
    is_whole(&on_a_screen(&shop, 24, &["diff"], &[("PATH", empty.to_str().unwrap())]));
}

#[test]
fn h9_leaving_the_pager_early_is_no_error_and_prints_nothing_more() {
    let shop = with_a_long_diff();
    // More than a pipe holds.
    shop.write("long.txt", "a line of some length that is repeated\n".repeat(20_000));
    let own = pager(&shop, "head -n 3; exit 0");
    let seen = on_a_screen(&shop, 24, &["diff"], &[("PAGER", &own)]);
    assert!(seen.contains("diff --git") && seen.lines().count() < 20, "{} lines", seen.lines().count());
}

#[test]
fn h9_an_interrupt_is_for_the_pager() {
    let shop = with_a_long_diff();
    let own = pager(&shop, "kill -INT $PPID; sleep 1; echo PAGED; cat");
    let seen = on_a_screen(&shop, 24, &["diff"], &[("PAGER", &own)]);
    assert!(seen.contains("PAGED"), "{seen}");
    is_whole(&seen);
}
