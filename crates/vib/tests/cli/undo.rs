//! `vib undo` (CP1, CP6, CP8)

use insta::assert_snapshot;
use testkit::{Agent, Photo};

use super::shop;

#[test]
fn shows_what_would_change_and_changes_nothing_on_a_dry_run() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("src/cart.js", "broken\n");
    shop.write("junk.txt", "junk\n");
    shop.remove("README.md");
    let before = Photo::of(&shop.root());
    assert_snapshot!(shop.vib(&["undo", "--dry-run"]).text(&shop), @r###"
    Taking back what changed since the last look would change:
      bring back   README.md  +1
      remove       junk.txt  -1
      change back  src/cart.js  +2 -1
    3 files, 3 lines added, 2 lines removed
    note: 2 files of these changed since the last checkpoint; vib saves them first.
    Nothing was changed. Run it again without `--dry-run` to go back.
    "###);
    Photo::of(&shop.root()).assert_same(&before);
    assert_eq!(
        shop.data(&["history", "--checkpoints", "--all"])["groups"].as_array().unwrap().len(),
        1,
        "no safety save either"
    );
}

#[test]
fn brings_everything_back_and_names_the_way_forward() {
    let shop = shop();
    shop.checkpoint("good");
    let good = Photo::of(&shop.root());
    shop.shell("rm -rf src && echo junk > junk && mkdir -p new/folder && chmod 755 README.md");
    let broken = Photo::of(&shop.root());
    assert_snapshot!(shop.vib(&["undo", "--yes"]).text(&shop), @r###"
    Taking back what changed since the last look would change:
      set mode     README.md  mode 755 → 644
      remove       junk  -1
      remove       new/folder/
      bring back   src/cart.js  +2
      bring back   src/login.js  +1
    5 files, 3 lines added, 1 line removed
    note: 4 files of these changed since the last checkpoint; vib saves them first.
    Done: taken back, 4 paths brought back, 3 paths removed.
    The state before is saved as hfwdhbhw. `vib redo` (or `vib undo hfwdhbhw`) returns to it.
    "###);
    Photo::of(&shop.root()).assert_same(&good);
    // The undo of the undo, and the undo of that.
    shop.vib(&["redo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&broken);
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&good);
}

#[test]
fn asks_and_without_anybody_to_ask_refuses() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "changed\n");
    assert_snapshot!(shop.vib(&["undo"]).text(&shop), @r###"
    --- stderr
    error[needs_confirmation]: this would change files, and nobody can confirm it here
    next: look at the preview with `--dry-run`, then add `--yes` if that is what you want
    --- exit 1
    "###);
    assert_eq!(shop.error(&["undo"])["code"], "needs_confirmation");
    assert_eq!(shop.read("README.md"), "changed\n");
}

#[test]
fn nothing_to_undo_is_said() {
    let shop = shop();
    assert_eq!(shop.error(&["undo", "--yes"])["code"], "nothing_to_undo");
    let id = shop.checkpoint("good");
    assert_snapshot!(shop.vib(&["undo", "--yes"]).text(&shop), @r###"
    --- stderr
    error[nothing_to_undo]: there is nothing to undo: nothing was changed since vib knows this project, or all of it is taken back
    next: `vib history` shows what happened, newest first
    --- exit 1
    "###);
    assert_eq!(shop.error(&["undo", &id, "--yes"])["code"], "nothing_to_undo");
    assert_eq!(shop.error(&["undo", "0"])["code"], "usage");
}

#[test]
fn steps_count_states_that_differ() {
    let shop = shop();
    for version in ["one", "two", "two", "three"] {
        shop.write("README.md", version);
        shop.checkpoint(version);
    }
    shop.write("README.md", "now");
    shop.vib(&["undo", "3", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "one");
    shop.vib(&["redo", "--yes"]).ok();
    shop.vib(&["undo", "2", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "two");
    assert_eq!(shop.error(&["undo", "9", "--yes"])["code"], "nothing_to_undo");
}

#[test]
fn repeated_undo_walks_back_step_by_step() {
    let shop = shop();
    for version in ["one", "two", "three"] {
        shop.write("README.md", version);
        shop.checkpoint(version);
    }
    for expected in ["two", "one"] {
        shop.vib(&["undo", "--yes"]).ok();
        assert_eq!(shop.read("README.md"), expected);
    }
}

#[test]
fn safety_checkpoints_are_not_among_the_default_choices_cp6() {
    let shop = shop();
    shop.checkpoint("good");
    shop.write("README.md", "bad\n");
    shop.vib(&["undo", "--yes"]).ok();
    // The only other state is the safety one, and that is not offered.
    assert_eq!(shop.error(&["undo", "--yes"])["code"], "nothing_to_undo");
    assert_eq!(shop.data(&["history", "--checkpoints"])["groups"].as_array().unwrap().len(), 2);
    assert_eq!(shop.data(&["history", "--checkpoints", "--all"])["groups"].as_array().unwrap().len(), 3);
}

#[test]
fn only_the_named_files_and_folders_come_back() {
    let shop = shop();
    let id = shop.checkpoint("good");
    shop.write("README.md", "bad\n");
    shop.write("src/cart.js", "bad\n");
    shop.write("src/login.js", "bad\n");
    shop.vib(&["undo", &id, "src/cart.js", "--yes"]).ok();
    assert_eq!(
        (shop.read("src/cart.js").as_str(), shop.read("src/login.js").as_str()),
        ("let total = 0;\nlet count = 0;\n", "bad\n")
    );
    shop.vib(&["undo", "src", "--yes"]).ok();
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
    assert_eq!(shop.read("README.md"), "bad\n");
    assert_eq!(shop.error(&["undo", &id, "no-such-file", "--yes"])["code"], "no_such_path");
    assert_eq!(shop.error(&["undo", &id, "../x", "--yes"])["code"], "path_outside_project");
}

#[test]
fn a_request_is_taken_back_as_a_whole_and_its_steps_one_by_one_h4() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = super::hook::Chat::new(&shop);
    chat.prompt("improve the shop");
    chat.write("src/cart.js", "step 1\n").unwrap();
    chat.write("src/new.js", "step 2\n").unwrap();
    let all = Photo::of(&shop.root());
    shop.vib(&["undo", "--step", "--yes"]).ok();
    assert!(!shop.exists("src/new.js"), "a file that was not there before the step goes");
    assert_eq!(shop.read("src/cart.js"), "step 1\n");
    shop.vib(&["undo", "--step", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    shop.vib(&["redo", "--yes"]).ok();
    shop.vib(&["redo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&all);
    // The person's own work since stays; the request goes as a whole.
    shop.write("README.md", "# Shop, by hand\n");
    shop.vib(&["undo", "r1", "--yes"]).ok();
    assert!(!shop.exists("src/new.js"));
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    assert_eq!(shop.read("README.md"), "# Shop, by hand\n");
}

#[test]
fn going_back_before_an_edit_leaves_a_persons_own_edit_alone() {
    let shop = shop();
    let agent = Agent::new(&shop, "s");
    agent.prompt("work");
    shop.write("README.md", "my own words\n");
    let before_edit = agent.edit("src/cart.js", "agent\n");
    shop.vib(&["undo", &before_edit, "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    assert_eq!(shop.read("README.md"), "my own words\n");
}

#[test]
fn what_nobody_ever_looked_at_has_not_come_since_the_last_look() {
    let shop = shop();
    // The first thing that is saved here is a single file.
    shop.vib(&["checkpoint", "src/cart.js"]).ok();
    let whole = Photo::of(&shop.root());
    let output = shop.vib(&["undo", "--yes"]);
    assert!(!output.stdout.contains("remove"), "{}", output.stdout);
    Photo::of(&shop.root()).assert_same(&whole);
    shop.write("src/cart.js", "broken\n");
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&whole);

    // A look at everything afterwards tells nobody's work either.
    shop.vib(&["checkpoint", "now all of it"]).ok();
    assert!(!shop.vib(&["history"]).stdout.contains("README.md"), "{}", shop.vib(&["history"]).stdout);
    shop.vib(&["undo", "--yes"]);
    Photo::of(&shop.root()).assert_same(&whole);
}

#[test]
fn ignored_files_survive_even_in_a_folder_that_goes_cp8() {
    let shop = shop();
    shop.write(".gitignore", "*.log\n");
    shop.checkpoint("good");
    shop.write("new/code.js", "x\n");
    shop.write("new/keep.log", "not in any checkpoint\n");
    let output = shop.vib(&["undo", "--yes"]);
    assert_eq!(output.code, 1, "partly done is not done");
    assert!(!shop.exists("new/code.js"));
    assert_eq!(shop.read("new/keep.log"), "not in any checkpoint\n");
    assert!(output.stdout.contains("holds files that are in no checkpoint"), "{}", output.stdout);
}

#[test]
fn an_ignored_file_in_the_way_is_shown_and_saved_first() {
    let shop = shop();
    shop.write("data.txt", "tracked\n");
    let id = shop.checkpoint("with data");
    shop.write(".gitignore", "data.txt\n");
    shop.checkpoint("ignored now");
    shop.write("data.txt", "precious, ignored, unsaved\n");
    shop.vib(&["undo", &id, "--yes"]).ok();
    assert_eq!(shop.read("data.txt"), "tracked\n");
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("data.txt"), "precious, ignored, unsaved\n");
}

#[test]
fn files_links_and_folders_can_change_places() {
    let shop = shop();
    shop.shell("mkdir swap && echo a > swap/a && echo f > thing && ln -s README.md link");
    shop.checkpoint("good");
    let good = Photo::of(&shop.root());
    shop.shell(
        "rm -rf swap && echo now-a-file > swap && rm thing && mkdir -p thing/deep && echo x > thing/deep/x \
                && rm link && mkdir link && rm README.md && ln -s src README.md",
    );
    let swapped = Photo::of(&shop.root());
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&good);
    shop.vib(&["redo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&swapped);
}

#[test]
fn a_planted_link_is_not_followed_cp8() {
    let shop = shop();
    let outside = shop.base().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("cart.js"), "outside\n").unwrap();
    let id = shop.checkpoint("good");
    shop.remove("src");
    std::os::unix::fs::symlink(&outside, shop.root().join("src")).unwrap();
    shop.vib(&["undo", &id, "--yes"]).ok();
    assert_eq!(std::fs::read_to_string(outside.join("cart.js")).unwrap(), "outside\n");
    assert!(!shop.root().join("src").is_symlink());
    assert_eq!(shop.read("src/login.js"), "check(user);\n");
}

#[test]
fn unknown_and_ambiguous_ids_are_explained() {
    let shop = shop();
    shop.checkpoint("one");
    assert_snapshot!(shop.vib(&["undo", "zzzzzzzz", "--yes"]).text(&shop), @r###"
    --- stderr
    error[not_a_checkpoint]: `zzzzzzzz` is not a checkpoint of this project
    next: `vib history` shows the checkpoints there are
    --- exit 1
    "###);
}

#[test]
fn survives_rm_rf_of_the_whole_project_and_a_new_clone_cp7() {
    let shop = shop();
    shop.checkpoint("good");
    let good = Photo::of(&shop.root());
    std::fs::remove_dir_all(shop.root()).unwrap();
    std::fs::create_dir(shop.root()).unwrap();
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&good);
}

#[test]
fn the_users_git_is_not_touched() {
    let shop = shop();
    shop.shell("git init -q . && git add -A && git -c user.name=x -c user.email=x@x commit -qm first");
    let git = |shop: &testkit::Sandbox| {
        let files = std::process::Command::new("sh")
            .args(["-c", "find .git -type f -exec sha256sum {} + | sort"])
            .current_dir(shop.root())
            .output()
            .unwrap();
        String::from_utf8(files.stdout).unwrap()
    };
    let before = git(&shop);
    shop.checkpoint("good");
    shop.shell("rm README.md");
    shop.vib(&["status"]).ok();
    shop.vib(&["undo", "--yes"]).ok();
    shop.vib(&["store", "gc"]).ok();
    assert_eq!(git(&shop), before);
}

/// A step whose file is gone or renamed since is not "as it was before": the answer says where the file is to be had.
#[test]
fn a_file_that_is_gone_since_is_not_called_as_it_was() {
    let shop = shop();
    shop.checkpoint("start");
    let send = |event: &str, call: &str, command: &str, prompt: &str| {
        let payload = serde_json::json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Bash",
            "tool_use_id": call, "tool_input": {"command": command}, "tool_response": {"stdout": ""}, "prompt": prompt, "prompt_id": prompt});
        testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string())
            .ok();
    };
    for (call, prompt, command) in
        [("a", "edit it", "echo more >> src/cart.js"), ("b", "rename it", "mv src/cart.js src/basket.js")]
    {
        send("UserPromptSubmit", call, command, prompt);
        send("PreToolUse", call, command, prompt);
        shop.shell(command);
        send("PostToolUse", call, command, prompt);
    }
    let error = shop.error(&["undo", "r1", "--yes"]);
    assert_eq!(error["code"], "nothing_to_undo");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("`src/cart.js`, which it changed, is gone or has another name now"),
        "{message}"
    );
    assert!(!message.contains("already as they were"), "{message}");
}

/// A person's work, a question to the agent, and then a mistake of the person's: the mistake is taken back, not the work.
#[test]
fn what_was_done_by_hand_before_a_request_is_not_taken_back_with_what_came_after_it() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = super::hook::Chat::new(&shop);
    chat.prompt("make a file");
    chat.write("agent.txt", "agent\n").unwrap();
    shop.write("src/cart.js", "an hour of my own work\n");
    shop.write("mine.md", "mine\n");
    chat.prompt("what is this?");
    let worked = Photo::of(&shop.root());
    for mistake in [["src/cart.js", "let total = 0;\nlet count = 0;\n"], ["mine.md", ""]] {
        shop.write(mistake[0], mistake[1]);
        shop.vib(&["undo", "--yes"]).ok();
        Photo::of(&shop.root()).assert_same(&worked);
    }
    // The same between two changes by hand that were both looked at.
    shop.write("later.md", "later\n");
    chat.prompt("and this?");
    shop.vib(&["undo", "--yes"]).ok();
    Photo::of(&shop.root()).assert_same(&worked);
    shop.vib(&["undo", "--yes"]).ok();
    assert!(!shop.exists("mine.md"), "the next one is the work before");
    assert!(shop.exists("agent.txt"));
    // Going back and forward again parts what was done by hand as well.
    shop.vib(&["redo", "--yes"]).ok();
    shop.vib(&["redo", "--yes"]).ok();
    assert_eq!(shop.read("later.md"), "later\n");
    shop.write("last.md", "last\n");
    shop.vib(&["undo", "--yes"]).ok();
    assert!(!shop.exists("last.md"));
    assert_eq!((shop.read("later.md"), shop.read("mine.md")), ("later\n".to_owned(), "mine\n".to_owned()));
}

/// A refused going back is passed over by the next one only as long as it would be refused again.
#[test]
fn what_was_left_because_of_later_work_can_be_taken_back_once_that_is_gone() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = super::hook::Chat::new(&shop);
    chat.prompt("good work");
    chat.write("good.txt", "good\n").unwrap();
    chat.prompt("a new head");
    chat.write("README.md", "# Shop X\n").unwrap();
    shop.write("README.md", "# Shop by hand\n");
    assert_eq!(shop.vib(&["undo", "--agent", "claude-code", "--yes"]).code, 1);
    shop.write("README.md", "# Shop X\n");
    shop.vib(&["undo", "--agent", "claude-code", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "# Shop\n");
    assert!(shop.exists("good.txt"));
}

/// Files go back, git's commits stay: who goes back has to know it, in every language, and only about commits that the request made.
#[test]
fn commits_of_what_is_taken_back_are_named() {
    let shop = shop().with_real_clock();
    let git = "git -c user.name=x -c user.email=x@x";
    shop.shell(&format!("git init -q . && git add -A && {git} commit -qm before"));
    shop.checkpoint("start");
    let send = |event: &str, call: &str, command: &str, prompt: &str| {
        let payload = serde_json::json!({"session_id": "s", "cwd": shop.root(), "hook_event_name": event, "tool_name": "Bash",
            "tool_use_id": call, "tool_input": {"command": command}, "tool_response": {"stdout": ""}, "prompt": prompt, "prompt_id": prompt});
        testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string())
            .ok();
    };
    // Git counts in seconds: what came in the second before is nobody's doubt here.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let commit = format!("{git} commit -qam 'cart: more'");
    send("UserPromptSubmit", "a", "", "edit and commit");
    for (call, command) in [("a", "echo more >> src/cart.js"), ("b", commit.as_str())] {
        send("PreToolUse", call, command, "edit and commit");
        shop.shell(command);
        send("PostToolUse", call, command, "edit and commit");
    }
    let said = shop.vib(&["undo", "--dry-run"]).text(&shop);
    assert!(said.contains("“cart: more” stays in git"), "{said}");
    assert!(!said.contains("before"), "{said}");
    let korean =
        testkit::Sandbox::run(shop.command(&["undo", "--dry-run"]).env("LC_ALL", "ko_KR.UTF-8")).text(&shop);
    assert!(korean.contains("git에 남고"), "{korean}");
    let notices = shop.data(&["undo", "--dry-run"])["notices"].to_string();
    assert!(notices.contains("cart: more"), "{notices}");
}

#[test]
fn a_file_saved_by_name_that_a_person_replaced_since_stays_theirs_m3() {
    let shop = shop().with_real_clock();
    shop.write(".gitignore", "uploads/\n");
    shop.write("uploads/a.bin", "what was there\n");
    shop.vib(&["checkpoint"]).ok();
    let hook = |event: &str, more: serde_json::Value| {
        let mut payload = serde_json::json!({"session_id": "s", "prompt_id": "p", "cwd": shop.root(), "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        testkit::Sandbox::run_with_input(&mut shop.command(&["hook", "claude-code"]), &payload.to_string())
            .ok();
    };
    let request = |prompt: &str, command: &str, work: &dyn Fn()| {
        hook("UserPromptSubmit", serde_json::json!({"prompt": prompt, "prompt_id": prompt}));
        let call = serde_json::json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": prompt, "prompt_id": prompt,
            "tool_response": {"stdout": ""}});
        hook("PreToolUse", call.clone());
        work();
        hook("PostToolUse", call);
        hook("Stop", serde_json::json!({"prompt_id": prompt}));
    };
    request("clean up", "rm uploads/a.bin", &|| shop.remove("uploads/a.bin"));
    shop.vib(&["undo", "--yes"]).ok();
    assert_eq!(shop.read("uploads/a.bin"), "what was there\n");
    shop.write("uploads/a.bin", "my own new work\n");
    request("add a line", "echo x >> notes.md", &|| shop.write("notes.md", "x\n"));
    shop.vib(&["undo", "--yes"]).ok();
    assert_eq!(shop.read("uploads/a.bin"), "my own new work\n");
    assert!(!shop.exists("notes.md"));
}
