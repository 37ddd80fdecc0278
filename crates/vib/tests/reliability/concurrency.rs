//! Many processes at once: no error, no lost row (CP10)

use testkit::{Sandbox, tree};

use super::sandbox;

/// Runs commands in many processes at once; every one of them must succeed.
fn hammer(
    project: &Sandbox,
    processes: usize,
    rounds: usize,
    arguments: impl Fn(usize, usize) -> Vec<String> + Sync,
) {
    let arguments = &arguments;
    std::thread::scope(|scope| {
        for process in 0..processes {
            scope.spawn(move || {
                for round in 0..rounds {
                    let words = arguments(process, round);
                    let output = project.vib(&words.iter().map(String::as_str).collect::<Vec<_>>());
                    assert_eq!(output.code, 0, "{}\n{}", output.stdout, output.stderr);
                }
            });
        }
    });
}

#[test]
fn sixteen_processes_with_two_hundred_file_saves_each_cp10() {
    let project = sandbox().with_real_clock();
    for process in 0..16 {
        project.write(&format!("f{process}"), "start");
    }
    project.vib(&["config", "set", "retention.turns", "0"]).ok();
    project.checkpoint("first");
    hammer(&project, 16, 200, |process, round| {
        std::fs::write(project.root().join(format!("f{process}")), format!("{process} {round}")).unwrap();
        ["checkpoint", "--kind", "turn", &format!("f{process}")].map(str::to_owned).to_vec()
    });
    assert_eq!(project.data(&["store", "stats"])["turns"], 3200);
    project.vib(&["store", "check"]).ok();
}

#[test]
fn whole_trees_files_undos_and_clean_ups_together_cp10() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 120);
    project.checkpoint("first");
    hammer(&project, 8, 25, |process, round| {
        let words: &[&str] = match process {
            0 | 1 => &["checkpoint", "--kind", "turn"],
            2..=4 => &["checkpoint", "--kind", "turn", "pkg0/mod0/f1.rs"],
            5 => &["history"],
            6 => &["status"],
            _ if round % 5 == 0 => &["store", "gc"],
            _ => &["diff", "--stat"],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    });
    let stats = project.data(&["store", "stats"]);
    assert_eq!(stats["turns"], 125, "{stats}");
    project.vib(&["store", "check"]).ok();
}

#[test]
fn the_first_command_may_be_many_commands() {
    for _ in 0..5 {
        let project = sandbox().with_real_clock();
        project.write("a", "1");
        // Two first commands must not make two projects.
        hammer(&project, 8, 1, |_, _| vec!["checkpoint".to_owned()]);
        let projects = std::fs::read_dir(project.state().join("projects")).unwrap().count();
        assert_eq!(projects, 1);
        assert_eq!(project.data(&["store", "stats"])["manual"], 8);
    }
}

#[test]
fn a_second_undo_is_told_to_wait_or_does_it_properly() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 300);
    let one = project.checkpoint("one");
    let good = testkit::Photo::of(&project.root());
    project.shell("rm -rf pkg0");
    let mut commands: Vec<_> = (0..4).map(|_| project.command(&["undo", &one, "--yes", "--json"])).collect();
    std::thread::scope(|scope| {
        for command in &mut commands {
            scope.spawn(move || {
                let output = Sandbox::run(command);
                let answer = output.json();
                let code = answer["error"]["code"].as_str().unwrap_or("done");
                assert!(
                    ["done", "nothing_to_undo", "changed_after_preview", "busy"].contains(&code),
                    "{answer}"
                );
            });
        }
    });
    testkit::Photo::of(&project.root()).assert_same(&good);
    project.vib(&["store", "check"]).ok();
}
