//! "Since when?", as people type it: `2h`, `30m`, `3d`, `yesterday`, `2026-11-16`, `2026-11-16 14:30`, `14:30`.

use project::Context;

use crate::{Error, Result};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The moment that is meant, milliseconds since 1970. Dates and times of day are those of this machine.
pub fn since(context: &Context, typed: &str) -> Result<i64> {
    let now = context.now_ms();
    let text = typed.trim().to_lowercase();
    let wrong = || {
        Error::Usage(format!(
            "`{typed}` is no time; say how long ago (`30m`, `2h`, `3d`), `yesterday`, `today`, a date (`2026-11-16`) or a time (`14:30`)"
        ))
    };
    if let Some(ago) = duration(&text) {
        return Ok(now - ago);
    }
    let zone = jiff::tz::TimeZone::system();
    let here = jiff::Timestamp::from_millisecond(now).map_err(|_| wrong())?.to_zoned(zone.clone());
    let moment = match text.as_str() {
        "today" => here.date().to_zoned(zone),
        "yesterday" => here.date().yesterday().and_then(|day| day.to_zoned(zone)),
        other => match other.parse::<jiff::civil::DateTime>() {
            Ok(moment) => moment.to_zoned(zone),
            Err(_) => match other.parse::<jiff::civil::Date>() {
                Ok(day) => day.to_zoned(zone),
                Err(_) => {
                    let time: jiff::civil::Time = other.parse().map_err(|_| wrong())?;
                    here.date().to_datetime(time).to_zoned(zone)
                }
            },
        },
    };
    let moment = moment.map_err(|_| wrong())?.timestamp().as_millisecond();
    // A time of day that is still to come was meant for yesterday.
    Ok(if moment > now && !text.contains('-') { moment - DAY } else { moment })
}

/// `90s`, `30m`, `2h`, `3d`, `2w`, also as `2 hours` and `2 hours ago`.
fn duration(text: &str) -> Option<i64> {
    let text = text.strip_suffix("ago").unwrap_or(text).trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "s" | "sec" | "second" | "seconds" => 1000,
        "m" | "min" | "minute" | "minutes" => MINUTE,
        "h" | "hour" | "hours" => HOUR,
        "d" | "day" | "days" => DAY,
        "w" | "week" | "weeks" => 7 * DAY,
        _ => return None,
    };
    number.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_type_them() {
        assert_eq!(duration("2h"), Some(2 * HOUR));
        assert_eq!(duration("30 minutes ago"), Some(30 * MINUTE));
        assert_eq!(duration("1 week"), Some(7 * DAY));
        for other in ["", "h", "2x", "2026-11-16", "99999999999999999h", "-3h"] {
            assert_eq!(duration(other), None, "{other}");
        }
    }
}
