//! What is conserved, and how deep bodies are in each other.

use glam::DVec3;

use super::World;
use crate::broad::Handle;
use crate::dynamics::matter::contacts;
use crate::query::Batch;

/// Energy and momentum of the dynamic bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// In joules.
    pub kinetic: f64,
    /// −Σ m·s·g·x with the gravity g, its scale s and the centre of mass x, and what the springs of joints hold, in
    /// joules.
    pub potential: f64,
    /// In N·s.
    pub momentum: DVec3,
    /// About the origin of the world, in N·m·s.
    pub angular_momentum: DVec3,
}

impl Energy {
    /// Kinetic and potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

impl World {
    /// Energy, linear and angular momentum of the dynamic bodies at the current time.
    pub fn energy(&self) -> Energy {
        let mut sum = Energy::default();
        for rigid in self.rigids.iter().filter(|rigid| rigid.is_dynamic()) {
            let (mass, motion) = (rigid.inertia.mass, &rigid.motion);
            let spun = rigid.inertia.spun(motion.rotation, motion.angular_velocity);
            let momentum = motion.velocity * mass;
            sum.kinetic += 0.5 * (momentum.dot(motion.velocity) + spun.dot(motion.angular_velocity));
            sum.potential -= mass * rigid.given.gravity_scale * self.settings.gravity.dot(motion.center);
            sum.momentum += momentum;
            sum.angular_momentum += motion.center.cross(momentum) + spun;
        }
        let springs = self.solver.joints.iter().map(|(_, _, held)| held.energy(&self.rigids));
        sum.potential += springs.sum::<f64>();
        sum
    }

    /// The largest depth of a contact now, walls too; 0 if nothing overlaps. Costs a narrow phase.
    pub fn deepest(&mut self) -> f64 {
        self.depths().into_iter().map(|(_, depth)| depth).fold(0.0, f64::max)
    }

    /// The pairs of bodies that are in each other by more than a depth now, sorted; a wall of the room has no
    /// name. Costs a narrow phase.
    pub fn deeper_than(&mut self, depth: f64) -> Vec<[Option<Handle>; 2]> {
        let deep = self.depths().into_iter().filter(|(_, found)| *found > depth);
        deep.map(|(pair, _)| pair.map(|i| self.name(i))).collect()
    }

    /// The depth of each pair whose boxes overlap.
    fn depths(&mut self) -> Vec<([u32; 2], f64)> {
        let boxes = self.boxes();
        // Bodies asleep count too, and their pairs are left out of what a step looks at.
        let asleep: Vec<bool> = self.rigids.iter_mut().map(|r| std::mem::take(&mut r.asleep)).collect();
        // Boxes of finite motions are never refused.
        let pairs = self.near.pairs(&self.rigids, &boxes).unwrap_or_default();
        self.rigids.iter_mut().zip(asleep).for_each(|(rigid, asleep)| rigid.asleep = asleep);
        let rigids = &self.rigids;
        let depth = |&[i, j]: &[u32; 2]| {
            let (a, b) = (&rigids[i as usize], &rigids[j as usize]);
            if let (Some(r), Some(s)) = (a.ball, b.ball) {
                return r + s - (b.motion.center - a.motion.center).length();
            }
            contacts(a, &a.motion, b, &b.motion, 0.0).iter().map(|c| c.depth).fold(0.0, f64::max)
        };
        let depths = if pairs.len() < 64 {
            pairs.iter().map(depth).collect()
        } else {
            Batch::default().each(&pairs, |_, pair| depth(pair)).answers
        };
        pairs.into_iter().zip(depths).collect()
    }
}
