//! What the statuses of topics mean here, and how ours are written.

use crate::document::ReviewStatus;

/// Written for each status: words that most tools have, or show as they are.
pub(super) const fn written(status: ReviewStatus) -> &'static str {
    match status {
        ReviewStatus::New => "New",
        ReviewStatus::Active => "Active",
        ReviewStatus::Resolved => "Resolved",
        ReviewStatus::Accepted => "Accepted",
        ReviewStatus::Ignored => "Ignored",
    }
}

/// Words of other tools, in small letters without space; see docs/bcf.md. Whatever is not here is active: somebody has
/// to look at it.
const WORDS: [(ReviewStatus, &[&str]); 4] = [
    (ReviewStatus::New, &["new", "created", "detected", "unassigned"]),
    (
        ReviewStatus::Resolved,
        &["resolved", "closed", "done", "fixed", "solved", "completed", "complete", "finished", "verified"],
    ),
    (ReviewStatus::Accepted, &["accepted", "approved", "reviewed", "wontfix", "tolerated", "ok"]),
    (
        ReviewStatus::Ignored,
        &[
            "ignored",
            "ignore",
            "rejected",
            "void",
            "voided",
            "invalid",
            "notaclash",
            "noclash",
            "cancelled",
            "canceled",
        ],
    ),
];

/// What a status of a topic means.
pub(super) fn read(text: &str) -> ReviewStatus {
    let word: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let known = WORDS.iter().find(|(_, words)| words.contains(&&*word));
    known.map_or(ReviewStatus::Active, |(status, _)| *status)
}

/// What a topic of several clashes is: to be looked at if one of them is, otherwise the weakest reason not to.
pub(super) fn together(statuses: &[ReviewStatus]) -> Option<ReviewStatus> {
    let has = |status: ReviewStatus| statuses.contains(&status);
    let all_new = statuses.iter().all(|&status| status == ReviewStatus::New);
    match statuses {
        [] => None,
        _ if all_new => Some(ReviewStatus::New),
        _ if statuses.iter().any(|status| status.is_open()) => Some(ReviewStatus::Active),
        _ if has(ReviewStatus::Accepted) => Some(ReviewStatus::Accepted),
        _ if has(ReviewStatus::Ignored) => Some(ReviewStatus::Ignored),
        _ => Some(ReviewStatus::Resolved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReviewStatus::{Accepted, Active, Ignored, New, Resolved};

    #[test]
    fn what_is_written_is_read_back() {
        for status in ReviewStatus::ALL {
            assert_eq!(read(written(status)), status);
        }
        let words = [
            ("OPEN", Active),
            ("Open ", Active),
            ("In Progress", Active),
            ("ReOpened", Active),
            ("Closed", Resolved),
            ("Won't fix", Accepted),
            ("Not a clash", Ignored),
            ("", Active),
        ];
        for (word, status) in words {
            assert_eq!(read(word), status, "{word}");
        }
    }

    #[test]
    fn a_topic_of_many_is_open_if_one_is() {
        assert_eq!(together(&[]), None);
        assert_eq!(together(&[New, New]), Some(New));
        assert_eq!(together(&[New, Accepted]), Some(Active));
        assert_eq!(together(&[Resolved, Accepted, Ignored]), Some(Accepted));
        assert_eq!(together(&[Resolved, Ignored]), Some(Ignored));
        assert_eq!(together(&[Resolved, Resolved]), Some(Resolved));
    }
}
