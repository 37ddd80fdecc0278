//! `vib why`: whose line is this.

use insta::assert_snapshot;

use super::hook::Chat;
use super::shop;

#[test]
fn each_line_has_its_writer_in_the_margin() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("make the cart faster");
    chat.write("src/cart.js", "let total = 0;\nlet fast = true;\nlet count = 0;\n").unwrap();
    shop.write("src/cart.js", "let total = 0;\nlet fast = true;\nlet count = 0;\n// typed by me\n");
    chat.prompt("and the login");
    shop.write(
        "src/cart.js",
        "let total = 0;\nlet fast = true;\nlet count = 0;\n// typed by me\n// and just now\n",
    );
    assert_snapshot!(shop.vib(&["why", "src/cart.js"]).text(&shop));
    let data = shop.data(&["blame", "src/cart.js:2"]);
    assert_eq!(data["lines"].as_array().unwrap().len(), 1);
    assert_eq!(data["sources"][0]["source"], "step", "{data}");
    assert_eq!(data["sources"][0]["facts"][0]["request"], "r1", "{data}");
}

#[test]
fn what_was_there_before_is_gits_where_git_knows_it() {
    let shop = shop();
    let git = "git -c user.name='A person' -c user.email=p@example.com";
    shop.shell(&format!("git init -q && git add . && {git} commit -qm 'The beginning'"));
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.write("src/login.js", "check(user);\nlog(user);\n").unwrap();
    let data = shop.data(&["why", "src/login.js"]);
    assert_eq!(data["sources"][0]["source"], "git", "{data}");
    assert_eq!(data["sources"][0]["author"], "A person");
    assert_eq!(data["sources"][0]["summary"], "The beginning");
    assert_eq!(data["sources"][1]["source"], "step");
    // A repository that names a program runs none of it. (S15)
    shop.shell("git config diff.evil.textconv 'touch evil; cat' && git config filter.evil.clean 'touch evil; cat' && echo '*.js diff=evil filter=evil' > .gitattributes");
    let data = shop.data(&["why", "src/login.js"]);
    assert_eq!(data["sources"][0]["source"], "git", "{data}");
    assert!(!shop.exists("evil"));
}

#[test]
fn a_moved_file_and_an_undo_give_lines_to_their_first_writers() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.write("src/cart.js", "let total = 0;\nlet count = 0;\nlet fast = true;\n").unwrap();
    chat.shell("mv src/cart.js src/basket.js");
    let data = shop.data(&["why", "src/basket.js"]);
    assert_eq!(data["earlier_names"], serde_json::json!(["src/cart.js"]), "{data}");
    assert_eq!(
        (&data["lines"][0]["source"], &data["lines"][2]["source"]),
        (&serde_json::json!(0), &serde_json::json!(1))
    );
    assert_eq!(data["sources"][1]["steps"], serde_json::json!(["s1"]), "{data}");
    chat.write("src/basket.js", "let total = 0;\n").unwrap();
    shop.vib(&["undo", "--step", "--yes"]).ok();
    let data = shop.data(&["why", "src/basket.js"]);
    assert_eq!(data["sources"][1]["steps"], serde_json::json!(["s1"]), "{data}");
}

#[test]
fn what_has_no_lines_and_what_is_not_there_is_said() {
    let shop = shop();
    shop.write("logo.png", b"\x89PNG\0\0");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.shell("rm README.md && printf '\\000new' > logo.png");
    assert_snapshot!(shop.vib(&["why", "logo.png"]).text(&shop));
    assert_snapshot!(shop.vib(&["why", "README.md"]).text(&shop));
    assert_eq!(shop.error(&["why", "src"])["code"], "usage");
    assert_eq!(shop.error(&["why", "src/cart.js:9"])["code"], "usage");
    assert_eq!(shop.error(&["why", "no/such.js"])["code"], "no_such_path");
    shop.write(".env", "KEY=value\n");
    let refused = shop.error(&["why", ".env"]);
    assert!(refused["message"].as_str().unwrap().contains("usually holds secrets"), "{refused}");
    assert!(!refused.to_string().contains("value"), "{refused}");
}

/// A shop in git with a colleague's clone beside it, on the machine's clock: git has no other.
fn with_colleague() -> testkit::Sandbox {
    let shop = shop().with_real_clock();
    shop.write("f.txt", "alpha line number one\nbeta line number two\na\nb\nc\ngamma line number three\n");
    shop.shell(
        "git init -q -b main . && git config user.name Pat && git config user.email p@example.com && git add . \
         && git commit -qm initial && git init -q -b main --bare ../bare && git remote add origin ../bare \
         && git push -q -u origin main && git clone -q ../bare ../clone",
    );
    shop.checkpoint("before");
    shop
}

/// The colleague changes the second line and pushes.
fn colleague_works(shop: &testkit::Sandbox) {
    shop.shell(
        "cd ../clone && git config user.name Colleague && git config user.email c@example.com \
         && sed -i 's/two/TWO/' f.txt && printf 'a colleague wrote this\\n' > col.txt && git add . \
         && git commit -qm 'colleague work' && git push -q",
    );
}

/// The sources of the lines of a file: `git Pat`, `step s2`, `by_hand`.
pub(super) fn sources(shop: &testkit::Sandbox, file: &str) -> Vec<String> {
    let data = shop.data(&["why", file]);
    let name = |source: &serde_json::Value| match source["source"].as_str().unwrap() {
        "git" => format!("git {}", source["author"].as_str().unwrap()),
        "step" => format!("step {}", source["steps"][0].as_str().unwrap()),
        other => other.to_owned(),
    };
    let lines = data["lines"].as_array().unwrap();
    lines.iter().map(|line| name(&data["sources"][line["source"].as_u64().unwrap() as usize])).collect()
}

#[test]
fn what_a_command_commits_itself_is_its_own_and_what_it_fetched_is_gits_b3_m2() {
    for command in [
        "git checkout -q -b feat && sed -i s/gamma/GAMMA/ f.txt && git commit -qam 'agent fix'",
        "git switch -q -c feat && sed -i s/gamma/GAMMA/ f.txt && git commit -qam 'agent fix'",
        "git pull -q; sed -i s/gamma/GAMMA/ f.txt; git commit -qam 'agent fix'",
        "sed -i s/gamma/GAMMA/ f.txt; git commit -qam 'agent fix'; git pull -q --rebase",
        "git pull -q && sed -i s/gamma/GAMMA/ f.txt",
        "git stash -q; git pull -q; sed -i s/gamma/GAMMA/ f.txt; git commit -qa --amend --no-edit",
    ] {
        let shop = with_colleague();
        let mut chat = Chat::new(&shop);
        chat.prompt("go");
        colleague_works(&shop);
        chat.shell(command);
        let second = if command.contains("pull") { "git Colleague" } else { "git Pat" };
        let pat = "git Pat";
        assert_eq!(sources(&shop, "f.txt"), [pat, second, pat, pat, pat, "step s1"], "{command}");
        let report = shop.data(&["report"]);
        let row = &report["requests"][0];
        assert_eq!(
            (&row["lines_written"], &row["lines_standing"]),
            (&1.into(), &1.into()),
            "{command}: {row}"
        );
        let file = report["files"].as_array().unwrap().iter().find(|file| file["path"] == "f.txt").unwrap();
        assert_eq!(file["lines_by_agents"], 1, "{command}");
        if command.contains("pull") {
            assert_eq!(sources(&shop, "col.txt"), ["git Colleague"], "{command}");
        }
    }
}

#[test]
fn what_a_person_committed_on_another_branch_is_gits_however_a_command_brings_it_b5() {
    let base = "alpha of the beginning\nbeta of the beginning\n";
    for command in [
        "git merge -q --squash side",
        "git merge -q --squash side && git commit -qm squashed",
        "git checkout side -- s.txt",
        "git restore --source side s.txt",
        "git cherry-pick -n side",
        "git show side:s.txt > s.txt",
        "git diff main side | git apply",
        "git format-patch -q -1 side && git am -q 0001*.patch",
        "git merge -q side && git reset -q --soft HEAD~1 && git commit -qm redone",
        "git cat-file blob side:s.txt > s.txt",
    ] {
        let shop = with_colleague();
        shop.write("s.txt", base);
        shop.shell("git add . && git commit -qm s && git checkout -q -b side");
        shop.write("s.txt", format!("{base}typed by me on another branch\n"));
        shop.shell("GIT_COMMITTER_DATE='2025-12-01T00:00:00Z' git commit -qam mine && git checkout -q main");
        let mut chat = Chat::new(&shop);
        chat.prompt("go");
        chat.shell(command);
        assert_eq!(sources(&shop, "s.txt")[2], "git Pat", "{command}");
        // Git remembers for a while what `HEAD` was.
        shop.shell("git branch -qD side");
        assert_eq!(sources(&shop, "s.txt")[2], "git Pat", "{command}, and the branch is gone");
    }
    // A stash that no look saw and that is gone when anybody asks.
    let shop = with_colleague();
    shop.write("f.txt", "typed by me, and put away at once\n");
    shop.shell("git stash -q");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.shell("git stash pop -q");
    assert_eq!(sources(&shop, "f.txt"), ["from_git"]);
    // What the agent typed into such a command is its own, and what it wrote into a patch.
    chat.shell("git stash list; echo 'an agent typed this line' >> f.txt");
    assert!(sources(&shop, "f.txt")[1].starts_with("step"), "{:?}", sources(&shop, "f.txt"));
}

#[test]
fn committed_lines_that_were_indented_anew_or_lost_their_file_are_still_gits_m3() {
    let shop = shop().with_real_clock();
    shop.write("old.js", "first line of the old file\nsecond line of the old file\n");
    shop.shell(
        "git init -q -b main . && git config user.name Pat && git config user.email p@example.com && git add . \
         && git commit -qm old",
    );
    shop.write("old.js", "    first line of the old file\n    second line of the old file\n");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    assert_eq!(sources(&shop, "old.js"), ["git Pat", "git Pat"]);
    chat.shell("cp old.js new.js");
    shop.shell("git rm -qf old.js && git commit -qm gone");
    assert_eq!(sources(&shop, "new.js"), ["git Pat", "git Pat"]);
}

#[test]
fn a_new_file_that_a_command_makes_on_its_own_branch_is_its_own_b3() {
    let shop = with_colleague();
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.shell(
        "git checkout -q -b feat && echo 'an agent made this' > new.txt && git add . && git commit -qm new",
    );
    assert_eq!(sources(&shop, "new.txt"), ["step s1"]);
    // Going there and back again changes nothing of it.
    chat.shell("git checkout -q main");
    chat.shell("git merge -q feat");
    assert_eq!(sources(&shop, "new.txt"), ["step s1"]);
}

#[test]
fn a_persons_own_pull_and_a_script_that_pulls_bring_a_colleagues_lines_m11() {
    let shop = with_colleague();
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    colleague_works(&shop);
    shop.write("mine.txt", "typed by me\n");
    shop.shell("git add . && git commit -qm 'my own' && git pull -q --no-rebase --no-edit");
    chat.prompt("next");
    assert_eq!(sources(&shop, "f.txt")[..3], ["git Pat", "git Colleague", "git Pat"]);
    assert_eq!(sources(&shop, "col.txt"), ["git Colleague"]);
    assert_eq!(sources(&shop, "mine.txt"), ["by_hand"]);
    let shop = with_colleague();
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    colleague_works(&shop);
    shop.write("sync.sh", "git pull -q\necho 'made by the script' > made.txt\n");
    chat.shell("sh sync.sh");
    assert_eq!(sources(&shop, "f.txt")[..3], ["git Pat", "git Colleague", "git Pat"]);
    assert!(sources(&shop, "made.txt")[0].starts_with("step"), "{:?}", sources(&shop, "made.txt"));
}

#[test]
fn copied_lines_keep_their_writers_and_the_answer_is_the_same_after_thinning_b4_m3() {
    let shop = shop();
    shop.write("m.py", "def one():\n    return compute_the_first_value()\n\ndef two():\n    return compute_the_second_value()\n");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.write("m.py", "def one():\n    return compute_the_first_value()\n\ndef two():\n    return compute_the_second_value()\n\ndef three_by_agent():\n    return compute_third_by_agent()\n").unwrap();
    chat.shell("cp m.py plain.py");
    chat.shell("cp m.py n.py && sed -i s/third/THIRD/ n.py");
    shop.write("save.txt", "a person saved this line here\nand this other line as well\n");
    chat.prompt("more");
    chat.shell("cat m.py save.txt > all.py");
    shop.write("f.txt", "to be overwritten\n");
    chat.prompt("more");
    chat.shell("cp save.txt f.txt; echo 'a tail by the agent' >> f.txt");
    let (before, one, three) = ("before_vib".to_owned(), "step s1".to_owned(), "step s3".to_owned());
    let base = || vec![before.clone(); 5];
    let expected = |file: &str| match file {
        "plain.py" => [base(), vec![one.clone(); 3]].concat(),
        "n.py" => [base(), vec![one.clone(), one.clone(), three.clone()]].concat(),
        "all.py" => [base(), vec![one.clone(); 3], vec!["by_hand".to_owned(); 2]].concat(),
        _ => vec!["by_hand".to_owned(), "by_hand".to_owned(), sources(&shop, "f.txt")[2].clone()],
    };
    let files = ["plain.py", "n.py", "all.py", "f.txt"];
    for file in files {
        assert_eq!(sources(&shop, file), expected(file), "{file}");
    }
    assert!(sources(&shop, "f.txt")[2].starts_with("step"));
    for turn in 0..6 {
        chat.prompt("again");
        chat.shell(&format!(
            "echo 'line {turn} of the agent' >> m.py; echo 'line {turn} of the agent' >> save.txt"
        ));
    }
    shop.vib(&["config", "set", "retention.turns", "3"]).ok();
    shop.vib(&["store", "gc"]).ok();
    for file in files {
        assert_eq!(sources(&shop, file), expected(file), "{file} after thinning");
    }
    // Nothing can stand that was not written. (M1)
    let report = shop.data(&["report"]);
    for row in report["requests"].as_array().unwrap().iter().chain([&report["totals"]]) {
        assert!(row["lines_standing"].as_u64() <= row["lines_written"].as_u64(), "{row}");
    }
}

#[test]
fn equal_neighbours_are_one_of_and_blanks_that_mean_something_are_told_m9_m10() {
    let shop = shop();
    shop.write("f.txt", "start\nretry(charge_card(order))\nend\n");
    shop.write("f.py", "if x:\n    run()\n    and_more()\npad = \"a b\"\n");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.write("f.txt", "start\nretry(charge_card(order))\nretry(charge_card(order))\nend\n").unwrap();
    assert_eq!(sources(&shop, "f.txt"), ["before_vib", "either", "either", "before_vib"]);
    let data = shop.data(&["why", "f.txt:3"]);
    assert_eq!(data["sources"][0]["of"][0]["source"], "before_vib", "{data}");
    assert_eq!(data["sources"][0]["of"][1]["steps"][0], "s1", "{data}");
    chat.write("f.py", "if x:\n    run()\nand_more()\npad = \"ab\"\n").unwrap();
    let data = shop.data(&["why", "f.py"]);
    assert_eq!(sources(&shop, "f.py"), ["before_vib"; 4]);
    for (line, changed) in [(0, false), (1, false), (2, true), (3, true)] {
        let by = &data["lines"][line]["blanks"];
        assert_eq!(by.is_u64(), changed, "{data}");
        if changed {
            assert_eq!(data["sources"][by.as_u64().unwrap() as usize]["steps"][0], "s2", "{data}");
        }
    }
    assert_snapshot!(shop.vib(&["why", "f.py"]).text(&shop));
    assert_snapshot!(shop.vib(&["why", "f.txt"]).text(&shop));
}

#[test]
fn what_cannot_be_asked_is_said_in_plain_words() {
    let shop = shop();
    shop.checkpoint("before");
    let message = |typed: &str| shop.error(&["why", typed])["message"].as_str().unwrap().to_owned();
    assert!(message("src/cart.js:2-1").contains("ends before it begins"), "{}", message("src/cart.js:2-1"));
    assert!(message("src/cart.js:1,2").contains("some in a row"), "{}", message("src/cart.js:1,2"));
    std::os::unix::fs::symlink("cart.js", shop.root().join("src/link.js")).unwrap();
    let told = shop.vib(&["why", "src/link.js"]).ok().stdout;
    assert!(told.contains("is a link"), "{told}");
    shop.write("logo.png", b"\x89PNG\0\0");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    shop.write("logo.png", b"\x89PNG\0\0\0");
    chat.prompt("go");
    let told = shop.vib(&["why", "logo.png"]).ok().stdout;
    assert!(told.contains("Last change: by hand") && !told.contains("by by"), "{told}");
}

/// The last change of a file without lines is what happened to it last, also if nobody has looked since.
#[test]
fn what_went_or_changed_since_the_last_look_is_said_to_be_so() {
    let shop = shop();
    shop.write("logo.png", b"\x89PNG\0\0");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    chat.shell("printf '\\000new' > logo.png && echo more >> README.md");
    let last = |file: &str| shop.data(&["why", file])["last"]["source"].clone();
    assert_eq!(last("logo.png"), "step");
    shop.write("logo.png", b"\0typed by a person");
    shop.shell("rm README.md");
    assert_eq!((last("logo.png"), last("README.md")), ("unsaved".into(), "unsaved".into()));
    let said = shop.vib(&["why", "README.md"]).stdout;
    assert!(
        said.contains("is not there now.") && said.contains("Last change: since the last look"),
        "{said}"
    );
    chat.prompt("go on");
    assert_eq!((last("logo.png"), last("README.md")), ("by_hand".into(), "by_hand".into()));
}

/// A person types into one file, nobody looks, and one command copies it and edits the copy.
#[test]
fn a_copy_of_what_a_person_just_typed_is_the_persons() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    shop.write("m.py", "def mine():\n    y = 9\n    return y\n");
    chat.shell("cp m.py n.py && sed -i 's/y = 9/y = 10/' n.py && echo '# end' >> n.py");
    // A number in a line of theirs is of both.
    assert_eq!(sources(&shop, "n.py"), ["by_hand", "one_of", "by_hand", "step s2"]);
    let said = shop.vib(&["why", "n.py"]).stdout;
    assert!(said.contains("n.py was made from `m.py`"), "{said}");
}
