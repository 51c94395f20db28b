//! Damage, and what a flight is worth.

/// Change of speed by a hit that does no damage, in m/s.
const HARMLESS: f64 = 0.5;

/// Damage in percent for each m/s beyond that.
const DAMAGE: f64 = 4.0;

/// What counts of a flight.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Cubes of the tunnel.
    pub cubes: usize,
    /// Since the pilot first did something.
    pub seconds: f64,
    /// In percent; at 100 the fighter is a wreck.
    pub damage: f64,
    /// Bodies shot to pieces.
    pub destroyed: u32,
}

impl Tally {
    /// What a whole flight is worth: 100 for each cube of the tunnel and 25 for each body shot to pieces, less 5 for
    /// each second and 5 for each percent of damage; never below 0.
    pub fn points(&self) -> f64 {
        let gained = 100.0 * self.cubes as f64 + 25.0 * f64::from(self.destroyed);
        (gained - 5.0 * self.seconds - 5.0 * self.damage).max(0.0).round()
    }

    /// A hit that changes the speed of the fighter by so much: four percent of damage for each m/s beyond half a one.
    pub fn hit(&mut self, change: f64) {
        self.damage = (self.damage + DAMAGE * (change - HARMLESS).max(0.0)).min(100.0);
    }

    /// Whether nothing is left of the fighter.
    pub fn is_wreck(&self) -> bool {
        self.damage >= 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_cubes_and_shots_less_time_and_damage() {
        let tally = Tally { cubes: 9, seconds: 30.0, damage: 10.0, destroyed: 2 };
        assert_eq!(tally.points(), 900.0 + 50.0 - 150.0 - 50.0);
        assert_eq!(Tally { seconds: 1e4, ..tally }.points(), 0.0);
    }

    #[test]
    fn light_hits_do_no_damage_and_hard_ones_do() {
        let mut tally = Tally::default();
        tally.hit(0.5);
        assert_eq!(tally.damage, 0.0);
        tally.hit(3.0);
        assert_eq!((tally.damage, tally.is_wreck()), (10.0, false));
        tally.hit(100.0);
        assert_eq!((tally.damage, tally.is_wreck()), (100.0, true));
    }
}
