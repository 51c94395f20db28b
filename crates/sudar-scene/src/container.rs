//! Boxes that bounce in a cubic container: the model of Dimitrijević 2019.

use sudar::{Aabb, DVec3};

/// Boxes along the axes with their velocities, all of one mass, in a cube about the origin. They bounce off its walls;
/// what they do to each other is up to the caller, who knows the pairs that overlap.
///
/// ```
/// use sudar::DVec3;
/// use sudar_scene::Container;
///
/// let mut container = Container::new(10.0);
/// container.add(DVec3::ZERO, DVec3::splat(0.5), DVec3::X);
/// container.add(DVec3::X * 2.0, DVec3::splat(0.5), DVec3::NEG_X);
/// container.advance(0.75);
/// container.part(&[[0, 1]]); // now they overlap by half a metre
/// assert_eq!(container.velocities(), [DVec3::NEG_X, DVec3::X]);
/// assert_eq!(container.boxes()[0].max.x, container.boxes()[1].min.x);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Container {
    width: f64,
    halves: Vec<DVec3>,
    centers: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

impl Container {
    /// An empty container of that width, in metres.
    pub fn new(width: f64) -> Self {
        Self { width, halves: Vec::new(), centers: Vec::new(), velocities: Vec::new() }
    }

    /// Adds a box by its middle, half extents and velocity.
    pub fn add(&mut self, center: DVec3, half: DVec3, velocity: DVec3) {
        self.centers.push(center);
        self.halves.push(half);
        self.velocities.push(velocity);
    }

    /// Takes out all boxes from number `count` on.
    pub fn truncate(&mut self, count: usize) {
        self.centers.truncate(count);
        self.halves.truncate(count);
        self.velocities.truncate(count);
    }

    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.centers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.centers.is_empty()
    }

    /// Its width, in metres.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Makes it wider or narrower; what is outside comes back to the walls in the next step.
    pub fn set_width(&mut self, width: f64) {
        self.width = width;
    }

    /// The middles of the boxes.
    pub fn centers(&self) -> &[DVec3] {
        &self.centers
    }

    /// Half extents of the boxes.
    pub fn halves(&self) -> &[DVec3] {
        &self.halves
    }

    /// Velocities of the boxes, in m/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.velocities
    }

    /// Makes all boxes larger or smaller, and faster or slower.
    pub fn scale(&mut self, size: f64, speed: f64) {
        self.halves.iter_mut().for_each(|half| *half *= size);
        self.velocities.iter_mut().for_each(|velocity| *velocity *= speed);
    }

    /// Moves on by so many seconds. A box beyond a wall is put back to it, and its velocity turned inwards.
    pub fn advance(&mut self, seconds: f64) {
        let half = DVec3::splat(0.5 * self.width);
        for ((center, velocity), own) in self.centers.iter_mut().zip(&mut self.velocities).zip(&self.halves) {
            *center += *velocity * seconds;
            // A box as wide as the container stays in its middle.
            let most = (half - *own).max(DVec3::ZERO);
            if center.abs().cmple(most).all() {
                continue;
            }
            for k in 0..3 {
                if center[k].abs() > most[k] {
                    center[k] = center[k].clamp(-most[k], most[k]);
                    velocity[k] = if center[k] > 0.0 { -velocity[k].abs() } else { velocity[k].abs() };
                }
            }
        }
    }

    /// Moves overlapping boxes apart, each by half the least translation, and gives them the velocities after an
    /// elastic impact along the line of their centres (Dimitrijević 2019, section 2.6), pair after pair, whether they
    /// approach or not. Pairs that an earlier one has parted are left.
    pub fn part(&mut self, pairs: &[[u32; 2]]) {
        for [i, j] in pairs.iter().map(|pair| pair.map(|k| k as usize)) {
            let Some((line, k, overlap)) = self.overlap(i, j) else { continue };
            let way = 0.5 * overlap.copysign(line[k]);
            self.centers[i][k] -= way;
            self.centers[j][k] += way;
            let relative = self.velocities[j] - self.velocities[i];
            let change = line * (relative.dot(line) / line.length_squared());
            self.velocities[i] += change;
            self.velocities[j] -= change;
        }
    }

    /// Pushes overlapping boxes apart by springs along the axis of the least translation, for so many seconds.
    /// Stiffness: acceleration by overlap, in 1/s².
    pub fn spring(&mut self, pairs: &[[u32; 2]], stiffness: f64, seconds: f64) {
        for [i, j] in pairs.iter().map(|pair| pair.map(|k| k as usize)) {
            let Some((line, k, overlap)) = self.overlap(i, j) else { continue };
            let change = (stiffness * overlap * seconds).copysign(line[k]);
            self.velocities[i][k] -= change;
            self.velocities[j][k] += change;
        }
    }

    /// Puts a box back from one that stands still, by the least translation, and turns its velocity away from it.
    pub fn bounce(&mut self, i: usize, fixed: &Aabb) {
        let line = self.centers[i] - fixed.center();
        let overlap = self.halves[i] + 0.5 * fixed.extent() - line.abs();
        if overlap.min_element() <= 0.0 {
            return;
        }
        let k = overlap.min_position();
        self.centers[i][k] += overlap[k].copysign(line[k]);
        self.velocities[i][k] = self.velocities[i][k].abs().copysign(line[k]);
    }

    /// The line of the centres, the axis of least overlap, and the overlap; `None` if there is none, or no line.
    fn overlap(&self, i: usize, j: usize) -> Option<(DVec3, usize, f64)> {
        let line = self.centers[j] - self.centers[i];
        let overlap = self.halves[i] + self.halves[j] - line.abs();
        if overlap.min_element() <= 0.0 || line == DVec3::ZERO {
            return None;
        }
        let k = overlap.min_position();
        Some((line, k, overlap[k]))
    }

    /// Turns all towards a point, as fast as they are.
    pub fn pull(&mut self, to: DVec3) {
        for (center, velocity) in self.centers.iter().zip(&mut self.velocities) {
            *velocity = (to - *center).normalize_or(DVec3::X) * velocity.length();
        }
    }

    /// Changes the velocity of a box.
    pub fn hasten(&mut self, i: usize, by: DVec3) {
        self.velocities[i] += by;
    }

    /// The boxes.
    pub fn boxes(&self) -> Vec<Aabb> {
        let one = |(c, h): (&DVec3, &DVec3)| Aabb { min: *c - *h, max: *c + *h };
        self.centers.iter().zip(&self.halves).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(count: u32) -> Container {
        let mut container = Container::new(1.0);
        for i in 0..count {
            let wave = |k: u32| libm::sin(f64::from(i * k));
            let way = DVec3::new(wave(3), wave(5), wave(11)).normalize_or(DVec3::X);
            container.add(DVec3::new(wave(7), wave(13), wave(17)) * 0.4, DVec3::splat(0.05), way * 0.2);
        }
        container
    }

    #[test]
    fn boxes_stay_in_the_container_and_keep_their_speed() {
        let mut container = some(50);
        for step in 0..400 {
            if step == 200 {
                container.pull(DVec3::ZERO);
            }
            container.advance(0.11);
            let inside = |b: &Aabb| b.min.min_element() >= -0.5 - 1e-12 && b.max.max_element() <= 0.5 + 1e-12;
            assert!(container.boxes().iter().all(inside));
            assert!(container.velocities().iter().all(|v| (v.length() - 0.2).abs() < 1e-12));
        }
    }

    #[test]
    fn what_is_pulled_meets() {
        let mut container = some(30);
        container.pull(DVec3::ZERO);
        let near = |c: &Container| c.centers().iter().filter(|p| p.length() < 0.3).count();
        let before = near(&container);
        container.advance(1.5);
        assert!(near(&container) > before);
    }

    /// Of two equal boxes on one line, springs give back what they take: v = x·ω·sin, whole after half a period.
    #[test]
    fn springs_give_back_the_speed() {
        let mut container = Container::new(100.0);
        container.add(DVec3::ZERO, DVec3::splat(0.5), DVec3::X);
        container.add(DVec3::X * 1.01, DVec3::splat(0.5), DVec3::NEG_X);
        for _ in 0..4000 {
            container.advance(1e-4);
            container.spring(&[[0, 1]], 400.0, 1e-4);
        }
        assert!((container.velocities()[0] - DVec3::NEG_X).length() < 1e-3);
    }

    #[test]
    fn what_stands_still_turns_the_velocity_of_what_comes() {
        let mut container = Container::new(10.0);
        container.add(DVec3::new(1.2, 0.1, 0.0), DVec3::splat(0.5), DVec3::new(-2.0, 1.0, 0.0));
        container.bounce(0, &Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE });
        assert_eq!(container.velocities(), [DVec3::new(2.0, 1.0, 0.0)]);
        assert_eq!(container.boxes()[0].min.x, 1.0);
    }

    #[test]
    fn parting_keeps_momentum_and_energy() {
        let mut container = some(2);
        container.centers = vec![DVec3::ZERO, DVec3::new(0.03, 0.05, -0.02)];
        let sum = |c: &Container| c.velocities.iter().sum::<DVec3>();
        let energy = |c: &Container| c.velocities.iter().map(|v| v.length_squared()).sum::<f64>();
        let before = (sum(&container), energy(&container));
        container.part(&[[0, 1]]);
        assert!(
            (sum(&container) - before.0).length() < 1e-12 && (energy(&container) - before.1).abs() < 1e-12
        );
        assert_eq!(container.overlap(0, 1), None);
    }
}
