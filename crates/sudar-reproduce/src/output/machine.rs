//! What the measurements were taken with.

/// Times of a build without optimisation mean nothing.
const BUILD: &str = if cfg!(debug_assertions) { ", not optimised" } else { "" };

/// Version and machine on one line.
pub fn line() -> String {
    format!("{}{BUILD}, {}", version(), processor())
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
    fn the_model_is_found() {
        assert_eq!(model("processor\t: 0\nmodel name\t: A 1\nmodel name\t: B\n"), Some("A 1".to_owned()));
        assert_eq!(model("model name\t:\n"), None);
        assert_eq!(model(""), None);
    }
}
