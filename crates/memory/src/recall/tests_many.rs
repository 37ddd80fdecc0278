//! The order of very many memories, compared with one that adds up all scores.

use std::collections::BTreeSet;

use super::*;

/// MM7: of thousands of candidates in several windows, the best are found, as whoever adds up all scores finds them.
#[test]
fn the_best_of_very_many_are_the_best() {
    let mut state = 7_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let texts: Vec<BTreeSet<u64>> = (0..9000)
        .map(|_| {
            let mut words = BTreeSet::new();
            while words.len() < 12 {
                // Small numbers are common.
                let scale = below(500) + 1;
                words.insert(below(scale));
            }
            words
        })
        .collect();
    let text =
        |words: &BTreeSet<u64>| words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let documents: Vec<Document> = texts
        .iter()
        .enumerate()
        .map(|(at, words)| Document {
            id: at.to_string(),
            text: text(words),
            importance: 0.5,
            ..Document::default()
        })
        .collect();
    let none = Weights {
        neighbour: 0.0,
        second_neighbour: 0.0,
        session: 0.0,
        importance: 0.0,
        ..Weights::default()
    };
    let index = Index::of(&documents).unwrap().with_weights(none);
    for round in 0..6 {
        let asked: BTreeSet<u64> = [2, 9, 20, 70, 150, 200, 300, 440].map(|word| word + round).into();
        let rarity = |word: &u64| {
            let having = texts.iter().filter(|words| words.contains(word)).count() as f64;
            (1.0 + (9000.0 - having + 0.5) / (having + 0.5)).ln()
        };
        let rarities: Vec<(u64, f64)> = asked.iter().map(|word| (*word, rarity(word))).collect();
        // All are of the same length and use each word once: the sum of what the words are worth is the order.
        let worth = |words: &BTreeSet<u64>| {
            rarities.iter().filter(|(word, _)| words.contains(word)).map(|(_, rarity)| rarity).sum::<f64>()
        };
        let mut all: Vec<f64> = texts.iter().map(worth).collect();
        all.sort_by(|one, other| other.total_cmp(one));
        let query = Query { diverse: false, k: 250, ..Query::new(text(&asked)) };
        let found: Vec<f64> = index
            .search(&query)
            .unwrap()
            .iter()
            .map(|hit| worth(&texts[hit.id.parse::<usize>().unwrap()]))
            .collect();
        for (at, (found, wanted)) in found.iter().zip(&all).enumerate() {
            assert!((found - wanted).abs() < 1e-3, "{round}, {at}: {found} instead of {wanted}");
        }
        assert_eq!(found.len(), 250);
    }
}
