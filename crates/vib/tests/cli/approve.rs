//! `vib approve`: only a person at a real terminal says yes.

use super::lesson::on_a_terminal;
use super::shop;

#[test]
fn without_a_terminal_nobody_says_yes() {
    let shop = shop();
    shop.vib(&["checkpoint"]).ok();
    let nothing = shop.vib(&["approve"]).ok();
    assert_eq!(nothing.stdout, "Nothing is waiting for a yes.\n");
    assert_eq!(shop.error(&["approve", "abc123"])["code"], "approval_unknown");
    // A request as another surface writes it.
    let folder = shop.store().join("approvals");
    std::fs::create_dir_all(&folder).unwrap();
    let request = r#"{"schema_version":1,"id":"abc123","client":"mcp:cursor","capability":"recovery_apply","plan":null,
        "digest":"d","summary":"bring back 2 files","created_ms":1767268800000,"expires_ms":9999999999999,"approved":false}"#;
    std::fs::write(folder.join("abc123.json"), request).unwrap();
    let listed = shop.vib(&["approve"]).ok().stdout;
    assert!(listed.contains("abc123  mcp:cursor wants recovery_apply: bring back 2 files"), "{listed}");
    assert_eq!(shop.error(&["approve", "abc123"])["code"], "needs_terminal");
    assert_eq!(shop.vib(&["approve", "abc123"]).code, 1);
    let again = shop.vib(&["approve"]).ok().stdout;
    assert!(again.contains("abc123"), "it still waits");
    // At a terminal it is shown and asked about.
    let seen = on_a_terminal(&shop, &["approve", "abc123"], "en_US.UTF-8", "y\n");
    assert!(seen.contains("mcp:cursor") && seen.contains("bring back 2 files"), "{seen}");
    assert!(seen.contains("Allowed once for mcp:cursor"), "{seen}");
    let stored = std::fs::read_to_string(folder.join("abc123.json")).unwrap();
    assert!(stored.contains("\"approved\":true"), "{stored}");
}
