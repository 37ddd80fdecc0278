//! What is kept, and for how long (CP4)

use super::shop;

/// Bytes that do not compress.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[2]
    };
    std::iter::repeat_with(&mut next).take(length).collect()
}

#[test]
fn each_kind_has_its_own_limit_and_pins_never_expire_cp4() {
    let shop = shop();
    for (name, value) in [("retention.manual", "3"), ("retention.turns", "2"), ("retention.safety", "2")] {
        shop.vib(&["config", "set", name, value]).ok();
    }
    shop.write("README.md", "pinned\n");
    let pinned =
        shop.data(&["checkpoint", "--pin", "-m", "pinned"])["checkpoint"]["id"].as_str().unwrap().to_owned();
    let mut manual = Vec::new();
    for number in 0..5 {
        shop.write("README.md", format!("manual {number}\n"));
        manual.push(shop.checkpoint("manual"));
    }
    // Many automatic ones never push out those made by hand.
    for turn in 0..6 {
        for step in 0..3 {
            shop.write("src/cart.js", format!("turn {turn} step {step}\n"));
            shop.data(&["checkpoint", "--kind", "turn", "--session", "s", "--turn", &turn.to_string()]);
        }
    }
    let stats = shop.data(&["store", "stats"]);
    assert_eq!((&stats["manual"], &stats["turns"], &stats["pinned"]), (&4.into(), &6.into(), &1.into()));

    let error = shop.error(&["undo", &manual[0], "--yes"]);
    assert_eq!(error["code"], "snapshot_expired");
    assert_eq!(error["oldest_available"], pinned);
    shop.vib(&["undo", &manual[2], "README.md", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "manual 2\n");
    shop.vib(&["undo", &pinned, "README.md", "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "pinned\n");
    shop.vib(&["undo", &manual[4], "README.md", "--yes"]).ok();
    assert_eq!(shop.data(&["store", "stats"])["safety"], 2);

    shop.vib(&["unpin", &pinned]).ok();
    shop.checkpoint("one more");
    assert_eq!(shop.error(&["show", &pinned])["code"], "snapshot_expired");
    shop.vib(&["store", "check"]).ok();
}

#[test]
fn gc_gives_space_back_and_keeps_what_is_needed_cp4() {
    let shop = shop();
    shop.vib(&["config", "set", "retention.manual", "2"]).ok();
    for number in 0..8 {
        shop.write("noise.bin", noise(number, 600_000));
        shop.checkpoint("noise");
    }
    let before = shop.data(&["store", "stats"])["bytes_on_disk"].as_u64().unwrap();
    let report = shop.data(&["store", "gc"]);
    let after = shop.data(&["store", "stats"])["bytes_on_disk"].as_u64().unwrap();
    // Two states are left, and what the older of them replaced, so that its step can be taken back.
    assert!(report["bytes_freed"].as_u64().unwrap() > 2_500_000, "{report}");
    assert!(after < before / 2, "{before} → {after}");
    shop.vib(&["store", "check"]).ok();
    shop.vib(&["undo", "--yes"]).ok();
    assert!(std::fs::read(shop.root().join("noise.bin")).unwrap() == noise(6, 600_000));
}

#[test]
fn the_size_limit_takes_automatic_checkpoints_first_cp4() {
    let shop = shop();
    shop.write("noise.bin", noise(99, 300_000));
    let manual = shop.checkpoint("by hand");
    for number in 0..8 {
        shop.write("noise.bin", noise(number, 300_000));
        shop.data(&["checkpoint", "--kind", "turn"]);
    }
    shop.vib(&["config", "set", "retention.max_store_size", "1MB"]).ok();
    shop.vib(&["store", "gc"]).ok();
    let stats = shop.data(&["store", "stats"]);
    assert!(stats["turns"].as_u64().unwrap() < 4, "{stats}");
    assert_eq!(stats["manual"], 1);
    shop.vib(&["undo", &manual, "--yes"]).ok();
    assert!(std::fs::read(shop.root().join("noise.bin")).unwrap() == noise(99, 300_000));
    shop.vib(&["store", "check"]).ok();
}
