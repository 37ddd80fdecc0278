//! Shares with their uncertainty: a lift without an interval is a wish. (M3)

use serde::{Deserialize, Serialize};

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// With a good end.
    pub yes: u64,
    /// All.
    pub all: u64,
}

/// 95 %.
const Z: f64 = 1.96;

impl Share {
    /// As a number from 0 to 1.
    pub fn rate(self) -> f64 {
        if self.all == 0 { 0.0 } else { self.yes as f64 / self.all as f64 }
    }

    /// Where the true share lies, with 95 % confidence (Wilson).
    pub fn interval(self) -> (f64, f64) {
        if self.all == 0 {
            return (0.0, 1.0);
        }
        let (n, p) = (self.all as f64, self.rate());
        let centre = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        (((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0))
    }
}

/// By how much the first share is larger, with 95 % confidence (Newcombe).
pub fn difference(one: Share, other: Share) -> (f64, f64) {
    let ((l1, u1), (l2, u2)) = (one.interval(), other.interval());
    let (p1, p2) = (one.rate(), other.rate());
    let gap = p1 - p2;
    (
        gap - ((p1 - l1).powi(2) + (u2 - p2).powi(2)).sqrt(),
        gap + ((u1 - p1).powi(2) + (p2 - l2).powi(2)).sqrt(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_cases_are_wide_and_many_are_narrow_m3() {
        let (low, high) = Share { yes: 8, all: 10 }.interval();
        assert!((0.48..0.50).contains(&low) && (0.94..0.95).contains(&high), "{low} {high}");
        let (low, high) = difference(Share { yes: 8, all: 10 }, Share { yes: 5, all: 10 });
        assert!(low < 0.0 && high > 0.0, "{low} {high}");
        let (low, _) = difference(Share { yes: 80, all: 100 }, Share { yes: 50, all: 100 });
        assert!(low > 0.15, "{low}");
        assert_eq!(Share::default().interval(), (0.0, 1.0));
    }
}
