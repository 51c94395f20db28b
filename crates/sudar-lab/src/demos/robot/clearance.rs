//! How near the arm is to what is around it, and to itself.

use sudar::query::{Distance, DistanceOptions, distance};
use sudar::{DVec3, Interval};

use super::arm::{Cell, Configuration, JOINTS, may_touch};

/// What a link is near to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    Obstacle(usize),
    Link(usize),
}

/// The nearest thing of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub link: usize,
    pub other: Other,
    /// Holds the distance.
    pub interval: Interval,
    /// On the link and on the other.
    pub points: [DVec3; 2],
}

impl Near {
    fn new(link: usize, other: Other, found: &Distance, swapped: bool) -> Self {
        let [a, b] = [found.point_a, found.point_b];
        Self { link, other, interval: found.interval, points: if swapped { [b, a] } else { [a, b] } }
    }
}

/// The nearest thing of each link.
pub fn clearances(cell: &Cell, configuration: &Configuration) -> [Option<Near>; JOINTS] {
    let poses = Cell::poses(configuration);
    let mut nearest: [Option<Near>; JOINTS] = [None; JOINTS];
    let mut keep = |near: Near| {
        let best = &mut nearest[near.link];
        if best.is_none_or(|best| near.interval.upper < best.interval.upper) {
            *best = Some(near);
        }
    };
    for (link, (body, pose)) in cell.links.iter().zip(&poses).enumerate() {
        for (k, thing) in cell.obstacles.iter().enumerate().filter(|(k, _)| may_touch(link, *k)) {
            let found = distance(body.at(pose), thing.body.at(&thing.pose), &DistanceOptions::EXACT);
            keep(Near::new(link, Other::Obstacle(k), &found, false));
        }
    }
    for &[i, j] in &cell.apart {
        let found =
            distance(cell.links[i].at(&poses[i]), cell.links[j].at(&poses[j]), &DistanceOptions::EXACT);
        keep(Near::new(i, Other::Link(j), &found, false));
        keep(Near::new(j, Other::Link(i), &found, true));
    }
    nearest
}

/// The nearest of all.
pub fn least(nearest: &[Option<Near>; JOINTS]) -> Option<Near> {
    nearest.iter().flatten().copied().min_by(|a, b| a.interval.upper.total_cmp(&b.interval.upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points_lie_on_the_bodies_and_are_as_far_apart_as_it_says() {
        let cell = Cell::new().unwrap();
        let nearest = clearances(&cell, &[0.3, 0.5, 0.7, 0.2, 0.4, 0.1]);
        for near in nearest.iter().flatten().filter(|near| near.interval.upper > 0.0) {
            let [a, b] = near.points;
            assert!((a.distance(b) - near.interval.upper).abs() < 1e-9, "{near:?}");
        }
        assert!(least(&nearest).is_some());
    }

    /// Stretched up the arm is in nobody's way; bent down to the front it goes through the table.
    #[test]
    fn an_arm_in_the_table_touches_it() {
        let cell = Cell::new().unwrap();
        let free = least(&clearances(&cell, &[0.0, -0.3, 0.0, 0.0, 0.0, 0.0])).unwrap();
        assert!(free.interval.lower > 0.05, "{free:?}");
        let table = cell.obstacles.iter().position(|thing| thing.name == "table").unwrap();
        let nearest = clearances(&cell, &[0.4, 1.8, 0.9, 0.0, 0.0, 0.0]);
        let touches = |near: &&Near| near.interval.upper == 0.0 && near.other == Other::Obstacle(table);
        assert!(nearest.iter().flatten().any(|near| touches(&near)), "{nearest:?}");
    }
}
