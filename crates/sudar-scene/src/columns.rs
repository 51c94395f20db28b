//! What each step of a run took, as lines of CSV: the recorder of Dimitrijević 2019, section 4.2.

use sudar::dynamics::{BodyType, World};

/// Writes down what steps take.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    objects: usize,
    size: f64,
}

impl Columns {
    /// The columns of [`row`](Self::row). Times in seconds; size: the mean of the longest edges of the boxes of bodies
    /// that move, at the start, in m; bytes: memory of the broad phase.
    pub const HEADER: &str = "step,time,wall_time,objects,size,algorithm,pairs,tests,visits,swaps,bytes,\
                              broad_time,narrow_time,response_time";

    /// Of the bodies that the world has now.
    pub fn new(world: &World) -> Self {
        let moving = world.bodies().filter(|(_, body)| body.kind != BodyType::Static);
        let edges: Vec<f64> = moving
            .filter_map(|(id, body)| Some(body.body.aabb(&world.pose(id).ok()?).extent().max_element()))
            .filter(|edge| edge.is_finite())
            .collect();
        let size = edges.iter().sum::<f64>() / edges.len().max(1) as f64;
        Self { objects: world.bodies().count(), size }
    }

    /// The last step as a line with a line break: its number, its time in the simulation and the time since the start
    /// of the run, both in seconds.
    pub fn row(&self, step: u64, time: f64, wall_time: f64, world: &World) -> String {
        let (work, phase) = (world.work(), world.broad_phase());
        let Self { objects, size } = self;
        let (counters, algorithm, bytes) = (work.counters, phase.choice().algorithm, phase.memory());
        format!(
            "{step},{time},{wall_time:.9},{objects},{size},{algorithm},{},{},{},{},{bytes},{:.9},{:.9},{:.9}\n",
            work.pairs,
            counters.tests,
            counters.visits,
            counters.swaps,
            work.broad_seconds,
            work.narrow_seconds,
            work.response_seconds
        )
    }
}
