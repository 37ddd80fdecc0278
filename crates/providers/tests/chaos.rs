//! Many questions, two servers that do what they like, a small budget: whatever comes, it is told, paid for once, and within the budget.

use providers::{Caller, Dialect, Happening, Ledger, Limit, Part, Provider, Reply, Stopped};

use crate::scripted::{
    Act, DIALECTS, MODEL, OPEN_STREAM, Said, Server, TestWorld, chunk, events, policy, provider, question,
    stream, whole,
};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

fn act(dialect: Dialect, dice: &mut Dice) -> Act {
    let good = || Act::events(&stream(dialect, &Said::default()));
    let as_model = |model| Act::events(&stream(dialect, &Said { model, ..Said::default() }));
    match dice.below(20) {
        0 => Act::json(429, "{}").with("retry-after", "1"),
        1 => Act::json(429, "{}").with("retry-after", "9999"),
        2 => Act::json(401, "{}"),
        3 => Act::json(529, "{}"),
        4 => Act::html(502),
        5 => Act::json(400, "{\"error\":{\"message\":\"prompt is too long\"}}"),
        6 => Act::json(400, "{\"error\":{\"message\":\"stream is not supported\"}}"),
        7 => Act::json(400, "{\"error\":{\"code\":\"content_filter\"}}"),
        8 => Act::Raw(Vec::new()),
        9 | 10 => {
            let all = events(dialect, &Said::default());
            let text: String = all.iter().take(dice.below(all.len())).map(chunk).collect();
            Act::Raw(format!("{OPEN_STREAM}{text}").into_bytes())
        }
        11 => as_model("claude-haiku-5-5"),
        12 => as_model("gpt-5.6-terra"),
        13 => as_model("nobody-knows-it"),
        14 => Act::json(200, &whole(dialect, &Said::default())),
        15 => Act::events("data: {\"nonsense\":1}\n\n"),
        _ => good(),
    }
}

/// Follows what is told, and holds it against who really answers.
struct Listener<'a> {
    providers: &'a [Provider],
    now: String,
    substituted: Vec<(String, String)>,
    allow_weaker: bool,
}

impl Listener<'_> {
    fn class(&self, label: &str) -> u8 {
        self.providers.iter().find(|one| one.label() == label).map_or(0, |one| one.class)
    }

    fn hear(&mut self, happening: Happening) {
        let Happening::Switched { from, to, why, lost } = happening else { return };
        assert_eq!(from, self.now, "told from somebody who did not answer");
        if why == "substituted" {
            assert!(lost.is_empty() || self.allow_weaker, "{to} without consent: {lost:?}");
            self.substituted.push((from, to));
            return;
        }
        let is_weaker = self.class(&to) < self.class(&from);
        assert!(!is_weaker || self.allow_weaker, "{to} without consent");
        assert_eq!(is_weaker, lost.iter().any(|lost| lost.starts_with("class")), "{lost:?}");
        self.now = to;
    }

    fn answered(&self, reply: &Reply) {
        let label = format!("{}/{}", reply.provider, reply.model);
        let is_told = self.substituted.contains(&(self.now.clone(), label.clone()));
        assert!(label == self.now || is_told, "{label} answers in silence in the place of {}", self.now);
    }
}

#[test]
fn ag4_whatever_two_servers_do_nothing_happens_in_silence_or_beyond_the_budget() {
    let (mut answers, mut switches, mut over) = (0, 0, 0);
    for seed in 0..150u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let dialects = [DIALECTS[dice.below(2)], DIALECTS[dice.below(2)]];
        let servers = dialects
            .map(|dialect| Server::start((0..12).map(|_| act(dialect, &mut dice)).collect::<Vec<_>>()));
        let mut both: Vec<Provider> = vec![
            provider("first", dialects[0], &servers[0], "KEY_A"),
            provider("second", dialects[1], &servers[1], "KEY_B"),
        ];
        both[1].class = 1 + dice.below(3) as u8;
        let limit = 15_000 + dice.below(60_000) as u64;
        let mut policy = policy();
        policy.allow_weaker = dice.below(2) == 0;
        let mut listener = Listener {
            providers: &both,
            now: format!("first/{MODEL}"),
            substituted: Vec::new(),
            allow_weaker: policy.allow_weaker,
        };
        let world = TestWorld::default();
        let mut caller = Caller::new(both.clone(), &world, policy);
        let mut ledger = Ledger::new([Limit { of: "run".to_owned(), tokens: Some(limit), dollars: None }]);
        for _ in 0..6 {
            let before = listener.now.clone();
            let result =
                caller.ask(&question(), &mut |happening| listener.hear(happening), &mut ledger, &|| false);
            switches += usize::from(before != listener.now);
            assert_eq!(caller.current().map(Provider::label), Some(listener.now.clone()), "seed {seed}");
            match result {
                Ok(reply) => {
                    answers += 1;
                    listener.answered(&reply);
                    let calls = reply.parts.iter().filter(|part| matches!(part, Part::Call { .. })).count();
                    assert!(calls <= 1, "seed {seed}");
                }
                Err(Stopped::OverBudget(_)) => {
                    over += 1;
                    break;
                }
                Err(_) => {}
            }
        }
        let used = ledger.accounts()[0].tokens;
        assert!(used <= limit, "seed {seed}: {used} of {limit}");
    }
    assert!(
        answers > 180 && switches > 40 && over > 10,
        "{answers} answers, {switches} switches, {over} budgets"
    );
}
