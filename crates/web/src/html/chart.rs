//! Small pictures as inline SVG: no script, no inline style.

use maud::{Markup, html};
use store::Activity;

use crate::ask::Ask;

const BAR: i64 = 10;
const HEIGHT: i64 = 56;

/// Bars over time: how much was saved when.
pub(crate) fn bars(ask: &Ask, activity: &[Activity], step_ms: i64, now_ms: i64) -> Markup {
    let count = 48;
    let start = now_ms - step_ms * count;
    let most = activity.iter().map(|stretch| stretch.checkpoints).max().unwrap_or(1).max(1);
    let total: u64 = activity.iter().map(|stretch| stretch.checkpoints).sum();
    let label = ask.say("web-activity", &[("count", i64::try_from(total).unwrap_or(i64::MAX).into())]);
    html! {
        figure.activity {
            svg viewBox={ "0 0 " (count * BAR) " " (HEIGHT) } role="img" aria-label=(label) preserveAspectRatio="none" {
                line.base x1="0" x2=(count * BAR) y1=(HEIGHT - 1) y2=(HEIGHT - 1) {}
                @for stretch in activity {
                    @let at = ((stretch.from_ms - start) / step_ms.max(1)).clamp(0, count - 1);
                    @let high = (stretch.checkpoints as f64 / most as f64 * (HEIGHT - 8) as f64).max(3.0);
                    rect x=(at * BAR + 1) width=(BAR - 2) y={ (format!("{:.1}", HEIGHT as f64 - high)) }
                        height={ (format!("{high:.1}")) } rx="2" {
                        title { (super::time(stretch.from_ms)) ": " (stretch.checkpoints) }
                    }
                }
            }
            figcaption.dim { span { (super::time(start)) } span { (ask.t("web-ago-now")) } }
        }
    }
}

/// A bar from 0 to 1 with a mark where it should be.
pub(crate) fn meter(value: f64, good: bool, label: &str) -> Markup {
    let wide = (value.clamp(0.0, 1.0) * 200.0).round();
    html! {
        svg.meter viewBox="0 0 200 8" role="img" aria-label=(label) preserveAspectRatio="none" {
            rect.track width="200" height="8" rx="4" {}
            rect class=(if good { "good" } else { "bad" }) width=(wide) height="8" rx="4" {}
        }
    }
}
