//! Labelled last messages: precision and recall of the detector.

use gates::completion;

struct Score {
    right: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
}

impl Score {
    fn of(data: &str) -> Self {
        let mut score = Self { right: 0, wrong: Vec::new(), missed: Vec::new() };
        for line in data.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let mut fields = line.splitn(4, '\t');
            let label = fields.next().unwrap_or_default();
            let text = fields.nth(2).unwrap_or_default().replace("\\n", "\n");
            match (label == "done", completion(&text, &[]).is_some()) {
                (true, true) => score.right += 1,
                (false, true) => score.wrong.push(line.to_owned()),
                (true, false) => score.missed.push(line.to_owned()),
                (false, false) => {}
            }
        }
        score
    }

    fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong.len()).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / (self.right + self.missed.len()).max(1) as f64
    }
}

fn hold(data: &str) {
    let score = Score::of(data);
    let told = format!("wrong {:#?}\nmissed {:#?}", score.wrong, score.missed);
    assert!(score.precision() >= 0.95, "precision {:.3}: {told}", score.precision());
    assert!(score.recall() >= 0.80, "recall {:.3}: {told}", score.recall());
}

#[test]
fn claims_of_completion_are_told_from_everything_else_hk8() {
    hold(include_str!("data/messages-seen.tsv"));
}

/// Not looked at while the detector was made.
#[test]
fn and_in_messages_that_nobody_looked_at_hk8() {
    hold(include_str!("data/messages-unseen.tsv"));
}

/// Three later sets; at first sight 100 / 88 %, 100 / 88 % and 97 / 81 % (precision, recall).
#[test]
fn and_in_messages_that_were_written_later_hk8() {
    hold(include_str!("data/messages-fresh.tsv"));
}

/// The places where agents make a claim, and what looks like one: beginnings, headings, lists, tables, questions about what comes next.
#[test]
fn a_claim_is_found_where_agents_make_it_hk8() {
    hold(include_str!("data/messages-shapes.tsv"));
}

fn tell(data: &str) {
    let lines = data.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let wrong: Vec<&str> = lines
        .filter(|line| {
            let fields: Vec<&str> = line.splitn(3, '\t').collect();
            gates::tells_a_failure(fields[2]) != (fields[0] == "tells")
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_message_that_tells_of_the_failure_itself_hides_nothing_m5() {
    tell(include_str!("data/disclosures-seen.tsv"));
}

/// Not looked at while the code was made.
#[test]
fn and_in_disclosures_that_nobody_looked_at_m5() {
    tell(include_str!("data/disclosures-unseen.tsv"));
}
