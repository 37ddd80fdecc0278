//! What time does to a score: memories fade, and what is from a time that the question names comes first.

use super::error::Result;
use super::query::{Query, Weights};
use super::rank::Ranker;
use super::segment::Spans;
use super::when::{When, said};

const DAY_S: f32 = 86_400.0;

/// What time does: about, by the span of time a document lies in, or exactly.
pub(super) struct Ages<'a> {
    recency: f32,
    fresh: f32,
    /// The second it is, since 1970.
    now: Option<i64>,
    /// What the question names.
    pub when: When,
    /// By document, through all segments; empty if time does not count.
    spans: Vec<(u32, Spans<'a>)>,
}

impl<'a> Ages<'a> {
    pub fn of(ranker: &Ranker<'a>, query: &Query) -> Result<Self> {
        let Weights { recency, fresh, then, .. } = *ranker.weights;
        let now = query.now_ms.map(|now| now.max(0) / 1000);
        let said = said(&query.text);
        let spans = if now.is_some() || !said.is_empty() { ranker.spans()? } else { Vec::new() };
        let when = if said.is_empty() {
            When::default()
        } else {
            let all = || spans.iter().flat_map(|(_, spans)| spans.all());
            let oldest = all().map(|(first, _)| first).min().unwrap_or_default();
            let newest = all().map(|(_, last)| last).max().unwrap_or_default();
            When::meant(&said, then, now, oldest.into(), newest.into())
        };
        Ok(Self { recency: recency.max(0.0), fresh: fresh.max(1e-3), now, when, spans })
    }

    fn of_span(&self, (first, last): (u32, u32)) -> f32 {
        let (first, last) = (i64::from(first), i64::from(last));
        let Some(now) = self.now else { return self.when.factor(first, last) };
        if first > now {
            // Nothing in it has happened yet.
            return 0.0;
        }
        let middle = i64::midpoint(first, last).min(now);
        self.fading((now - middle) as f32 / DAY_S) * self.when.factor(first, last)
    }

    /// Whether something of this second has not happened yet.
    pub fn is_later(&self, seconds: u32) -> bool {
        self.now.is_some_and(|now| i64::from(seconds) > now)
    }

    /// What is left of a score after so many days. Who names a time does not ask for the newest.
    pub fn fading(&self, days: f32) -> f32 {
        if self.when.is_empty() { (1.0 + days / self.fresh).powf(-self.recency) } else { 1.0 }
    }

    /// How many days before `now` something happened.
    pub fn days(now: i64, seconds: u32) -> f32 {
        (now - i64::from(seconds)) as f32 / DAY_S
    }

    /// The factor of the documents around this one of a segment.
    #[inline]
    pub fn in_segment(&self, segment: usize, local: u32) -> f32 {
        let span = self.spans.get(segment).and_then(|(_, spans)| spans.of(local));
        span.map_or(1.0, |span| self.of_span(span))
    }

    /// The factor of a document, about.
    pub fn about(&self, document: u32) -> f32 {
        let at = self.spans.partition_point(|(base, _)| *base <= document);
        let segment = at.checked_sub(1).and_then(|at| Some((at, self.spans.get(at)?.0)));
        segment.map_or(1.0, |(at, base)| self.in_segment(at, document - base))
    }
}
