//! Were the labels right? People say so, and when too many were not, labelling rests. (RC4)

use serde::{Deserialize, Serialize};

/// So many incidents count.
pub const WINDOW: usize = 20;
/// Below this share of right labels, labelling is off.
const FLOOR_PERCENT: usize = 80;
/// With fewer judgements nothing is concluded: one slip of two would be "50 %".
const FEWEST: usize = 5;

/// What a person said about one label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Which recovery it was about: all judgements of one recovery are one incident.
    pub incident: String,
    /// The label was right: the file did not belong to the work.
    pub right: bool,
}

/// All judgements, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// One by one.
    pub judgements: Vec<Judgement>,
}

impl Feedback {
    /// Right and all labels of the newest incidents.
    pub fn counts(&self) -> (usize, usize) {
        let mut incidents: Vec<&str> = Vec::new();
        for judgement in self.judgements.iter().rev() {
            if !incidents.contains(&judgement.incident.as_str()) {
                if incidents.len() == WINDOW {
                    break;
                }
                incidents.push(&judgement.incident);
            }
        }
        let counted: Vec<&Judgement> = self
            .judgements
            .iter()
            .filter(|judgement| incidents.contains(&judgement.incident.as_str()))
            .collect();
        (counted.iter().filter(|judgement| judgement.right).count(), counted.len())
    }

    /// Right labels in a hundred; none while too little is known.
    pub fn accuracy(&self) -> Option<u8> {
        let (right, all) = self.counts();
        (all >= FEWEST).then(|| u8::try_from(right * 100 / all).unwrap_or(100))
    }

    /// Files outside the zone may be called drift candidates.
    pub fn may_label(&self) -> bool {
        let (right, all) = self.counts();
        all < FEWEST || right * 100 >= all * FLOOR_PERCENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(rights: &[bool]) -> Feedback {
        let one = |(at, right): (usize, &bool)| Judgement { incident: at.to_string(), right: *right };
        Feedback { judgements: rights.iter().enumerate().map(one).collect() }
    }

    #[test]
    fn labelling_rests_below_eighty_percent_of_the_last_twenty_and_comes_back() {
        assert!(said(&[]).may_label());
        assert!(said(&[false, false]).may_label(), "two are no evidence");
        let mut rights = vec![true; 16];
        rights.extend([false; 4]);
        assert!(said(&rights).may_label() && said(&rights).accuracy() == Some(80));
        rights.push(false);
        let off = said(&rights);
        assert!(!off.may_label());
        assert_eq!(off.counts(), (15, 20), "the oldest incident no longer counts");
        rights.extend([true; 20]);
        assert_eq!(said(&rights).accuracy(), Some(100));
    }

    #[test]
    fn labels_of_one_recovery_are_one_incident() {
        let mut feedback = said(&[true; 19]);
        for right in [false, false, true] {
            feedback.judgements.push(Judgement { incident: "one".to_owned(), right });
        }
        assert_eq!(feedback.counts(), (20, 22));
    }
}
