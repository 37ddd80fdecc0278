//! A symbolic link planted between plan and write leads nowhere (CP8)

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::sandbox;

#[test]
fn a_folder_swapped_for_a_link_during_restores_never_leads_out() {
    let project = sandbox().with_real_clock();
    let outside = project.base().join("outside");
    std::fs::create_dir(&outside).unwrap();
    for number in 0..20 {
        project.write(&format!("target/f{number}"), format!("good {number}"));
    }
    let id = project.checkpoint("good");
    let (folder, aside) = (project.root().join("target"), project.root().join("aside"));
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, link) = (stop.clone(), outside.clone());
    let attacker = std::thread::spawn(move || {
        while !flag.load(Ordering::Relaxed) {
            if std::fs::rename(&folder, &aside).is_ok() {
                let _ = std::os::unix::fs::symlink(&link, &folder);
                std::thread::yield_now();
                let _ = std::fs::remove_file(&folder);
                if std::fs::rename(&aside, &folder).is_err() {
                    let _ = std::fs::remove_dir_all(&aside);
                }
            }
        }
    });
    for round in 0..40 {
        for number in 0..20 {
            let _ = std::fs::write(project.root().join(format!("aside/f{number}")), format!("bad {round}"));
            let _ = std::fs::write(project.root().join(format!("target/f{number}")), format!("bad {round}"));
        }
        // Writing through the link is the attacker's own doing; what matters is what vib does.
        for entry in std::fs::read_dir(&outside).unwrap().flatten() {
            let _ = std::fs::remove_file(entry.path());
        }
        let _ = project.vib(&["undo", &id, "--yes"]);
        for entry in std::fs::read_dir(&outside).unwrap().flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            assert!(!text.starts_with("good"), "vib wrote through the link: {}", entry.path().display());
            assert!(!entry.file_name().to_string_lossy().starts_with(".vib-tmp"), "a temporary file outside");
        }
    }
    stop.store(true, Ordering::Relaxed);
    attacker.join().unwrap();
    project.vib(&["store", "check"]).ok();
}
