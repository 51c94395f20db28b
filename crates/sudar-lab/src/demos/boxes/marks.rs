//! Contacts of the last moments, which fade.

use super::room::Mark;

/// Seconds after which a contact is no longer seen.
const LASTS: f64 = 0.4;

/// Contacts nearer to each other than this are one that lasts, in metres.
const SAME: f64 = 0.1;

/// Most contacts that are shown.
const MOST: usize = 400;

/// Contacts of the last moments.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The oldest first, each with its age in seconds.
    all: Vec<(Mark, f64)>,
}

impl Marks {
    /// Lets time pass, and adds the contacts of a step.
    pub fn advance(&mut self, seconds: f64, new: &[Mark]) {
        self.all.iter_mut().for_each(|(_, age)| *age += seconds);
        // A contact that lasts is seen once.
        let is_old = |mark: &Mark| new.iter().any(|newer| (newer.point - mark.point).length() < SAME);
        self.all.retain(|(mark, age)| *age < LASTS && !is_old(mark));
        self.all.extend(new.iter().map(|mark| (*mark, 0.0)));
        let excess = self.all.len().saturating_sub(MOST);
        self.all.drain(..excess);
    }

    /// The contacts, each with how much of it is still seen: 1 in its step, 0 at its end.
    pub fn all(&self) -> impl Iterator<Item = (&Mark, f64)> {
        self.all.iter().map(|(mark, age)| (mark, 1.0 - age / LASTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::DVec3;

    #[test]
    fn contacts_fade_and_go() {
        let mark = Mark { point: DVec3::X, normal: DVec3::Y, impulse: 1.0 };
        let mut marks = Marks::default();
        marks.advance(0.1, &[mark]);
        assert_eq!(marks.all().collect::<Vec<_>>(), [(&mark, 1.0)]);
        let other = Mark { point: DVec3::Z, ..mark };
        marks.advance(0.2, &[other]);
        let left: Vec<f64> = marks.all().map(|(_, left)| left).collect();
        assert!((left[0] - 0.5).abs() < 1e-12 && left[1] == 1.0);
        marks.advance(0.3, &[]);
        assert_eq!(marks.all().count(), 1);
        // A contact that lasts takes the place of what it was.
        marks.advance(0.05, &[other]);
        assert_eq!(marks.all().collect::<Vec<_>>(), [(&other, 1.0)]);
        let many = |i: u32| Mark { point: DVec3::X * f64::from(i), ..mark };
        marks.advance(0.1, &(0..1000).map(many).collect::<Vec<_>>());
        assert_eq!(marks.all().count(), MOST);
    }
}
