//! What each step of a run took, as lines of CSV: the recorder of Dimitrijević 2019, section 4.2.

use std::fmt;

use sudar::broad::Counters;
use sudar::dynamics::{BodyType, World};

/// What one step took: a row of the table, with a line break as its end.
///
/// ```
/// use sudar::broad::Counters;
/// use sudar_scene::StepRow;
///
/// let row = StepRow {
///     step: 1,
///     time: 0.5,
///     wall_time: 0.25,
///     objects: 3,
///     size: 1.5,
///     algorithm: "sap",
///     pairs: 2,
///     counters: Counters { tests: 4, visits: 5, swaps: 6 },
///     bytes: 7,
///     phases: [0.125, 0.0, 0.0625],
/// };
/// let line = "1,0.5,0.250000000,3,1.5,sap,2,4,5,6,7,0.125000000,0.000000000,0.062500000\n";
/// assert_eq!(row.to_string(), line);
/// assert_eq!(StepRow::HEADER.split(',').count(), line.split(',').count());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepRow<'a> {
    /// Number of the step, from 1 on.
    pub step: u64,
    /// Time in the simulation, in seconds.
    pub time: f64,
    /// Time since the start of the run, in seconds.
    pub wall_time: f64,
    /// Number of objects.
    pub objects: usize,
    /// Mean of the longest edges of the boxes of what moves, at the start, in m.
    pub size: f64,
    /// The broad phase that did the work.
    pub algorithm: &'a str,
    /// Pairs of boxes that overlap.
    pub pairs: usize,
    /// Work of the broad phase.
    pub counters: Counters,
    /// Memory of the broad phase.
    pub bytes: usize,
    /// Seconds of the broad phase, the narrow phase and the response.
    pub phases: [f64; 3],
}

impl StepRow<'_> {
    /// The names of the columns.
    pub const HEADER: &'static str = "step,time,wall_time,objects,size,algorithm,pairs,tests,visits,swaps,bytes,\
                                      broad_time,narrow_time,response_time";
}

impl fmt::Display for StepRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, time, wall_time, objects, size, algorithm, pairs, counters, bytes, phases } = self;
        let (Counters { tests, visits, swaps }, [broad, narrow, response]) = (counters, phases);
        writeln!(
            f,
            "{step},{time},{wall_time:.9},{objects},{size},{algorithm},{pairs},{tests},{visits},{swaps},{bytes},\
             {broad:.9},{narrow:.9},{response:.9}"
        )
    }
}

/// Writes down what the steps of a world take.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    objects: usize,
    size: f64,
}

impl Columns {
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
        let row = StepRow {
            step,
            time,
            wall_time,
            objects: self.objects,
            size: self.size,
            algorithm: &phase.choice().algorithm,
            pairs: work.pairs,
            counters: work.counters,
            bytes: phase.memory(),
            phases: [work.broad_seconds, work.narrow_seconds, work.response_seconds],
        };
        row.to_string()
    }
}
