//! The round arena: a circle that no car leaves.

use sudar::glam::DVec2;

use super::car::Car;

/// Metres from its middle to its wall.
pub const RADIUS: f64 = 22.0;

/// As far as the middle of a car may go: a car reaches 2.25 m from there, however it stands.
pub const LIMIT: f64 = RADIUS - 2.3;

/// Puts a car that is beyond the circle back onto it, and takes the speed that leads out, as the source does: no mesh
/// of the arena is tested.
pub fn keep_inside(car: &mut Car) {
    let far = car.at.length();
    if far <= LIMIT {
        return;
    }
    let out = car.at / far;
    car.at = out * LIMIT;
    car.velocity -= out * car.velocity.dot(out).max(0.0);
}

/// How far from the wall, in parts of the radius that cars have: 0 at the wall, 1 in the middle.
pub fn room(at: DVec2) -> f64 {
    1.0 - (at.length() / LIMIT).min(1.0)
}

#[cfg(test)]
mod tests {
    use sudar_scene::models::{CarModel, car};

    use super::*;
    use crate::demos::cars::car::Controls;

    #[test]
    fn no_point_of_a_car_leaves_the_arena_at_full_power() {
        let mesh = car(CarModel::First).unwrap();
        for i in 0..24 {
            let heading = f64::from(i) * 0.27;
            let mut car = Car { at: DVec2::new(3.0, -8.0), heading, velocity: DVec2::ZERO, mass: 300.0 };
            for step in 0..600 {
                let steer = f64::from(step % 7) / 7.0 - 0.4;
                car.drive(Controls { throttle: 1.0, steer }, 1.0 / 60.0);
                keep_inside(&mut car);
                assert!(car.at.length() <= LIMIT * (1.0 + 1e-15));
            }
            let pose = car.pose();
            let far = mesh.vertices().iter().map(|v| pose.apply(*v).truncate().length()).fold(0.0, f64::max);
            assert!(far <= RADIUS, "{far}");
        }
    }

    #[test]
    fn along_the_wall_a_car_keeps_its_speed() {
        let at = DVec2::new(LIMIT + 0.1, 0.0);
        let mut car = Car { at, heading: 0.0, velocity: DVec2::new(3.0, 4.0), mass: 300.0 };
        keep_inside(&mut car);
        assert_eq!((car.at, car.velocity), (DVec2::new(LIMIT, 0.0), DVec2::new(0.0, 4.0)));
    }
}
