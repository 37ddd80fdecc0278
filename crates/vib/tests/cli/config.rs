//! `vib config`

use insta::assert_snapshot;

use super::shop;

#[test]
fn lists_gets_and_sets() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["config", "list"]).text(&shop), @r###"
    checkpoint.include = .env, .env.*, .envrc, .dev.vars, *.local.json, *.local.toml, *.local.yml, *.local.yaml, local.settings.json, local.properties  (built in)
    checkpoint.include_max_size = 1MB  (built in)
    checkpoint.sensitive = .env, .env.*, .envrc, .dev.vars, .netrc, .npmrc, .pypirc, .pgpass, *.pem, *.key, *.p12, *.pfx, *.keystore, *.jks, id_rsa, id_dsa, id_ecdsa, id_ed25519, credentials.json, service-account*.json, *.tfvars, secrets.*  (built in)
    checkpoint.skip_caches = true  (built in)
    checkpoint.max_file_size = 0  (built in)
    retention.days = 30  (built in)
    retention.turns = 0  (built in)
    retention.manual = 0  (built in)
    retention.safety = 0  (built in)
    retention.max_store_size = 10GB  (built in)
    outside.max_store_size = 1GB  (built in)
    patch.keep_regions = reason  (built in)
    guard.covered = allow  (built in)
    guard.approve = list  (built in)
    guard.fence = unknown  (built in)
    guard.fence_hide =   (built in)
    guard.llm_command =   (built in)
    guard.llm_env =   (built in)
    guard.llm_timeout = 10  (built in)
    lane.fence = auto  (built in)
    budget.run_cents = 0  (built in)
    budget.run_tokens = 0  (built in)
    budget.day_cents = 0  (built in)
    budget.day_tokens = 0  (built in)
    stop.mode = warn  (built in)
    stop.gates =   (built in)
    stop.acceptance =   (built in)
    stop.max_blocks = 2  (built in)
    stop.markers =   (built in)
    verify.profile = auto  (built in)
    verify.checks =   (built in)
    verify.on_stop = off  (built in)
    verify.on_failure = off  (built in)
    verify.review_command =   (built in)
    delegation.mode = off  (built in)
    delegation.conductor_limit = 3  (built in)
    delegation.leader_limit = 8  (built in)
    delegation.allow = .claude/**, .vibelign/**, docs/**, *.md  (built in)
    qa.mode = suggest  (built in)
    qa.ttl_days = 90  (built in)
    privacy.identifiers =   (built in)
    privacy.internal_domains =   (built in)
    privacy.allow =   (built in)
    privacy.project_may_allow = false  (built in)
    audit.window_days = 30  (built in)
    memory.conflict_window_seconds = 60  (built in)
    memory.minimal = false  (built in)
    memory.listen = true  (built in)
    memory.suggest = false  (built in)
    memory.hold_out = 5  (built in)
    memory.recall_tokens.usual = 250  (built in)
    memory.recall_tokens.conductor = 400  (built in)
    memory.recall_tokens.leader = 250  (built in)
    memory.recall_tokens.musician = 120  (built in)
    memory.decisions.cap = 50  (built in)
    memory.events.cap = 200  (built in)
    memory.verification.cap = 30  (built in)
    memory.relevant_files.cap = 100  (built in)
    mcp.tools = few  (built in)
    lane.folder =   (built in)
    lane.carry = copy  (built in)
    lane.warm = 2  (built in)
    run.provider =   (built in)
    run.bash = false  (built in)
    run.bash_allow =   (built in)
    run.research = false  (built in)
    run.review = true  (built in)
    run.allow_weaker = false  (built in)
    recall.model =   (built in)
    ui.language = auto  (built in)
    recovery.lock_timeout_seconds = 60  (built in)
    ui.color = auto  (built in)
    "###);
    assert_snapshot!(shop.vib(&["config", "set", "retention.turns", "250"]).text(&shop), @r###"
    retention.turns = 250 (in `[base]/config/config.toml`)
    "###);
    assert_snapshot!(shop.vib(&["config", "get", "retention.turns"]).text(&shop), @r###"
    250
    "###);
}

#[test]
fn wrong_names_and_values_are_explained() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["config", "get", "turns"]).text(&shop), @r###"
    --- stderr
    error[config_unknown_key]: there is no setting `turns`
    next: did you mean `retention.turns`? `vib config list` shows them all
    --- exit 1
    "###);
    assert_snapshot!(shop.vib(&["config", "set", "retention.turns", "many"]).text(&shop), @r###"
    --- stderr
    error[config_bad_value]: `many` is not a value for `retention.turns`: it wants a whole number, 0 or more
    next: `vib config get retention.turns` shows the value in force
    --- exit 1
    "###);
}

#[test]
fn a_project_cannot_weaken_what_protects_the_person() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["config", "set", "--project", "retention.manual", "1"]).text(&shop), @r###"
    retention.manual = 1 (in `[base]/project/.vibelign/config.toml`)
    warning: the project's settings may not weaken `retention.manual`: that part is not used
    In force: 0
    "###);
    assert_eq!(shop.data(&["config", "get", "retention.manual"])["value"], 0);
}

#[test]
fn a_broken_settings_file_of_the_project_does_not_stop_checkpoints() {
    let shop = shop();
    shop.write(".vibelign/config.toml", "this is [not toml");
    let output = shop.vib(&["checkpoint"]).ok();
    assert!(output.stdout.contains("not used"), "{}", output.stdout);
}

#[test]
fn settings_of_the_user_make_no_project_where_there_is_none_m6() {
    let shop = shop();
    let output = shop.vib(&["config", "set", "ui.color", "never"]).ok();
    assert!(!output.stdout.contains("project"), "{}", output.stdout);
    assert_eq!(shop.data(&["config", "get", "ui.color"])["value"], "never");
    shop.vib(&["config", "list"]).ok();
    assert!(!shop.exists(".vibelign"));
    // In a project they are what they were, and its own settings count.
    shop.vib(&["init", "--no-hooks", "--yes"]).ok();
    shop.vib(&["config", "set", "--project", "stop.mode", "block"]).ok();
    assert_eq!(shop.data(&["config", "get", "stop.mode"])["value"], "block");
}
