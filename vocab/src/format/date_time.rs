//! `date-time`, `date`, `time` and `duration`: RFC 3339 §5.6 and appendix A.
//!
//! ```text
//! date       1985-04-12
//! time       23:20:50.52Z   23:20:50+01:00
//! date-time  1985-04-12T23:20:50.52Z
//! duration   P1Y2M3DT4H5M6S   P2W
//! ```
//!
//! Beyond the grammar we ask what §5.7 asks: a day that the month has, in the Gregorian calendar without end or
//! beginning, and a sixtieth second only where leap seconds go, at the end of a month in UTC. Which months had one is
//! a table that grows, so any month may. A time without a date may be on the last day of a month.
//!
//! Every function takes the bytes that are left and returns those it did not use. Bytes serve as well as
//! characters: all of the grammar is ASCII, and no byte of another character looks like ASCII.

pub(super) fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = date(text.as_bytes()) else { return false };
    let Some((time, [])) = after_one_of(rest, b"Tt").and_then(time) else { return false };
    !time.is_leap_second || date.after(time.days).is_last_of_month()
}

pub(super) fn is_date(text: &str) -> bool {
    date(text.as_bytes()).is_some_and(|(_, rest)| rest.is_empty())
}

pub(super) fn is_time(text: &str) -> bool {
    time(text.as_bytes()).is_some_and(|(_, rest)| rest.is_empty())
}

/// Whether the text is a duration: date units and then time units, either of which may be missing,
/// or weeks alone.
///
/// Designators are capital letters, as in ISO 8601, which the appendix follows.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.as_bytes().strip_prefix(b"P") else { return false };
    if after_units(rest, b"W").is_some_and(<[u8]>::is_empty) {
        return true;
    }
    // If the date units are malformed, nothing is consumed, and then neither `T` nor the end
    // follows.
    let rest = after_units(rest, b"YMD").unwrap_or(rest);
    match rest.strip_prefix(b"T") {
        Some(time) => after_units(time, b"HMS").is_some_and(<[u8]>::is_empty),
        None => rest.is_empty() && text.len() > 1,
    }
}

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    fn is_last_of_month(&self) -> bool {
        self.day == days_in_month(self.year, self.month)
    }

    /// Returns the date `days` later, where `days` is one, zero or minus one.
    fn after(self, days: i32) -> Date {
        let Date { year, month, day } = self;
        match days {
            1 if self.is_last_of_month() => Date { year, month: month % 12 + 1, day: 1 },
            1 => Date { year, month, day: day + 1 },
            // Only the fact that this is the last day of the previous month matters.
            -1 if day == 1 => {
                let (year, month) = if month == 1 { (year, 12) } else { (year, month - 1) };
                Date { year, month, day: days_in_month(year, month) }
            }
            -1 => Date { year, month, day: day - 1 },
            _ => self,
        }
    }
}

fn date(text: &[u8]) -> Option<(Date, &[u8])> {
    let (year, rest) = number::<4>(text)?;
    let (month, rest) = number::<2>(rest.strip_prefix(b"-")?)?;
    let (day, rest) = number::<2>(rest.strip_prefix(b"-")?)?;
    (1..=days_in_month(year, month)).contains(&day).then_some((Date { year, month, day }, rest))
}

/// Returns the length of a month; zero for a month that does not exist, so that no day is in it.
fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

struct Time {
    is_leap_second: bool,
    /// Days from the local date to the date in UTC: one, zero or minus one.
    days: i32,
}

fn time(text: &[u8]) -> Option<(Time, &[u8])> {
    let (minute_of_day, rest) = hour_and_minute(text)?;
    let (second, rest) = number::<2>(rest.strip_prefix(b":")?)?;
    let rest = match rest.strip_prefix(b".") {
        Some(fraction) => after_digits(fraction)?,
        None => rest,
    };
    let (offset, rest) = offset(rest)?;
    const DAY: i32 = 24 * 60;
    let utc = minute_of_day - offset;
    let is_leap_second = second == 60 && utc.rem_euclid(DAY) == DAY - 1;
    (second <= 59 || is_leap_second).then_some((Time { is_leap_second, days: utc.div_euclid(DAY) }, rest))
}

/// Reads an offset: by how many minutes local time is ahead of UTC.
fn offset(text: &[u8]) -> Option<(i32, &[u8])> {
    if let Some(rest) = after_one_of(text, b"Zz") {
        return Some((0, rest));
    }
    let (minutes, rest) = hour_and_minute(after_one_of(text, b"+-")?)?;
    let ahead = if text.starts_with(b"-") { -minutes } else { minutes };
    Some((ahead, rest))
}

/// Reads `hh:mm` as minutes.
fn hour_and_minute(text: &[u8]) -> Option<(i32, &[u8])> {
    let (hour, rest) = number::<2>(text)?;
    let (minute, rest) = number::<2>(rest.strip_prefix(b":")?)?;
    let minutes = i32::try_from(hour * 60 + minute).ok()?;
    (hour <= 23 && minute <= 59).then_some((minutes, rest))
}

/// Skips amounts with their units, in the order of `units` and without a gap; at least one. The
/// grammar nests them: days may follow months but not years.
fn after_units<'a>(text: &'a [u8], units: &[u8]) -> Option<&'a [u8]> {
    let mut rest = text;
    let mut expected = None;
    while let Some(amount) = after_digits(rest) {
        let (unit, after) = amount.split_first()?;
        let at = units.iter().position(|known| known == unit)?;
        if expected.is_some_and(|expected| expected != at) {
            return None;
        }
        expected = Some(at + 1);
        rest = after;
    }
    expected.map(|_| rest)
}

/// Reads a number of exactly `N` digits, with `N` small enough for a `u32`.
fn number<const N: usize>(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_first_chunk::<N>()?;
    let value = digits
        .iter()
        .try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0')))?;
    Some((value, rest))
}

/// Skips one digit or more.
fn after_digits(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then(|| &text[count..])
}

fn after_one_of<'a>(text: &'a [u8], wanted: &[u8]) -> Option<&'a [u8]> {
    let (first, rest) = text.split_first()?;
    wanted.contains(first).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_seconds_end_a_day_in_utc() {
        assert!(is_time("23:59:60Z"));
        assert!(is_time("00:59:60.9+01:00"));
        assert!(is_time("17:29:60-06:30"));
        assert!(!is_time("23:59:60+01:00"));
        assert!(!is_time("22:59:60Z"));
        assert!(!is_time("23:59:61Z"));
    }

    #[test]
    fn leap_seconds_end_a_month_in_utc() {
        assert!(is_date_time("1998-12-31T23:59:60Z"));
        assert!(is_date_time("2016-06-30T23:59:60.5z"));
        assert!(is_date_time("2017-01-01T00:59:60+01:00"));
        assert!(is_date_time("2016-12-31T15:59:60-08:00"));
        assert!(is_date_time("2016-03-01T05:29:60+05:30"));
        assert!(!is_date_time("1998-12-30T23:59:60Z"));
        assert!(!is_date_time("2016-12-31T00:59:60+01:00"));
        assert!(!is_date_time("2016-12-30T15:59:60-08:00"));
        assert!(!is_date_time("2016-02-28T23:59:60Z"));
        assert!(is_date_time("2016-02-29T23:59:60Z"));
    }

    #[test]
    fn centuries_are_leap_years_by_four_hundred() {
        assert!(is_date("2000-02-29"));
        assert!(!is_date("1900-02-29"));
        assert!(is_date("0000-02-29"));
    }

    #[test]
    fn units_skip_nothing() {
        assert!(is_duration("P1Y2M"));
        assert!(is_duration("P2DT3M4S"));
        assert!(!is_duration("P1Y2D"));
        assert!(!is_duration("PT1H2S"));
        assert!(!is_duration("P1D1D"));
        assert!(!is_duration("P1W2D"));
        assert!(!is_duration("P1DT"));
        assert!(!is_duration("P5"));
    }
}
