//! What the measurements were taken with.

/// Times of a build without optimisation mean nothing.
const BUILD: &str = if cfg!(debug_assertions) { ", not optimised" } else { "" };

/// Version and machine on one line.
pub fn line() -> String {
    format!("{}{BUILD}, {}", version(), processor())
}

/// The day that it is, in UTC, as 2026-11-23.
pub fn day() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let (year, month, day) = civil(since.map_or(0, |time| (time.as_secs() / 86_400) as i64));
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of so many days after 1970-01-01 (Hinnant 2013, "chrono-compatible low-level date algorithms"):
/// years begin in March, so that the day that some have more is their last.
fn civil(days: i64) -> (i64, i64, i64) {
    // Days since 0000-03-01; 400 years have 146 097.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + later, month, day)
}

/// The version, enough where no time is measured.
pub fn version() -> String {
    format!("sudar {}", env!("CARGO_PKG_VERSION"))
}

/// The processor as the system names it, where it does so in the manner of Linux; else its architecture.
fn processor() -> String {
    let named = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model(&text));
    named.unwrap_or_else(|| format!("{} {}", std::env::consts::OS, std::env::consts::ARCH))
}

fn model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    let name: String = line.split_once(':')?.1.chars().filter(|c| !c.is_control()).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // As `date -u -d @…` has them.
        let known =
            [(0, (1970, 1, 1)), (11_016, (2000, 2, 29)), (20_780, (2026, 11, 23)), (20_453, (2025, 12, 31))];
        for (days, date) in known {
            assert_eq!(civil(days), date);
        }
        assert_eq!(civil(-1), (1969, 12, 31));
    }

    #[test]
    fn the_model_is_found() {
        assert_eq!(model("processor\t: 0\nmodel name\t: A 1\nmodel name\t: B\n"), Some("A 1".to_owned()));
        assert_eq!(model("model name\t:\n"), None);
        assert_eq!(model(""), None);
    }
}
