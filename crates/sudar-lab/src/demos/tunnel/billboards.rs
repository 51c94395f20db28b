//! Pictures of explosions that turn towards the camera, from a pool (section 9.1).

use sudar::DVec3;

/// Seconds from the flash to the last of the smoke.
const LASTS: f64 = 1.1;

/// An explosion that is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    pub at: DVec3,
    /// Half its width, in metres.
    pub size: f64,
    /// From 0 to 1: so much of it has passed.
    pub age: f64,
}

/// The list of the source: a picture that has ended is free, and the next explosion takes it; where none is free, one
/// more is made.
#[derive(Debug, Clone, Default)]
pub struct Billboards {
    all: Vec<Option<Seen>>,
}

impl Billboards {
    /// Begins an explosion.
    pub fn show(&mut self, at: DVec3, size: f64) {
        let seen = Some(Seen { at, size, age: 0.0 });
        match self.all.iter_mut().find(|place| place.is_none()) {
            Some(place) => *place = seen,
            None => self.all.push(seen),
        }
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: f64) {
        for place in &mut self.all {
            *place =
                place.map(|seen| Seen { age: seen.age + seconds / LASTS, ..seen }).filter(|s| s.age < 1.0);
        }
    }

    /// Those that are seen.
    pub fn seen(&self) -> impl Iterator<Item = Seen> + '_ {
        self.all.iter().copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again() {
        let mut boards = Billboards::default();
        boards.show(DVec3::X, 1.0);
        boards.advance(0.5 * LASTS);
        boards.show(DVec3::Y, 2.0);
        let ages: Vec<f64> = boards.seen().map(|seen| seen.age).collect();
        assert_eq!(ages, [0.5, 0.0]);
        boards.advance(0.5 * LASTS);
        assert_eq!(boards.seen().map(|seen| seen.at).collect::<Vec<_>>(), [DVec3::Y]);
        boards.show(DVec3::Z, 1.0);
        // The first has made room: no third is made.
        assert_eq!((boards.all.len(), boards.seen().next().unwrap().at), (2, DVec3::Z));
        boards.show(DVec3::X, 1.0);
        assert_eq!(boards.all.len(), 3);
    }
}
