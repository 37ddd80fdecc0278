//! A restore that was cut off is finished by the next command, which says so (CP8)

use testkit::Photo;

use super::sandbox;

#[test]
fn finished_by_the_next_command_whatever_it_is() {
    // A slow restore (many files, one large) is killed for certain, then any command picks it up.
    let project = sandbox().with_real_clock();
    testkit::tree::many(&project.root(), 600);
    let one = project.checkpoint("one");
    let good = Photo::of(&project.root());
    project.shell("find . -name '*.rs' | while read f; do echo changed > $f; done");
    let two = project.checkpoint("two");
    let begin = std::time::Instant::now();
    project.vib(&["undo", &one, "--yes"]).ok();
    let whole = begin.elapsed();
    let mut seen = false;
    for part in 1..60 {
        let _ = project.vib(&["undo", &two, "--yes"]);
        let mut child =
            project.command(&["undo", &one, "--yes"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * part / 60);
        let _ = child.kill();
        let interrupted = child.wait().unwrap().code().is_none();
        let output = project.vib(&["status"]).ok();
        if output.stdout.contains("had been cut off; it is finished now") {
            assert!(interrupted);
            Photo::of(&project.root()).assert_same(&good);
            let status = project.data(&["status"]);
            assert_eq!(status["notices"].as_array().unwrap().len(), 0, "said once: {status}");
            seen = true;
            break;
        }
    }
    assert!(seen, "no restore was cut off between its journal and its end");
    let left_over = project.root();
    let names: Vec<_> = walk(&left_over).into_iter().filter(|name| name.contains(".vib-tmp-")).collect();
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn an_undo_that_was_finished_leaves_no_journal() {
    let project = sandbox();
    project.write("a", "1");
    let one = project.checkpoint("one");
    project.write("a", "2");
    project.vib(&["undo", &one, "--yes"]).ok();
    assert_eq!(project.data(&["status"])["notices"].as_array().unwrap().len(), 0);
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        names.push(entry.path().display().to_string());
        if entry.file_type().unwrap().is_dir() {
            names.extend(walk(&entry.path()));
        }
    }
    names
}
