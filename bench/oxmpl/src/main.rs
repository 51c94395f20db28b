//! OxMPL plans, and a cell of Sudar tells which configurations are free; then the path is certified.
//!
//! `cargo run --release --manifest-path bench/oxmpl/Cargo.toml`

use std::sync::Arc;
use std::time::Duration;

use oxmpl::base::error::StateSamplingError;
use oxmpl::base::goal::{Goal, GoalRegion, GoalSampleableRegion};
use oxmpl::base::planner::{Planner, PlannerConfig};
use oxmpl::base::problem_definition::ProblemDefinition;
use oxmpl::base::space::{RealVectorStateSpace, StateSpace};
use oxmpl::base::state::RealVectorState;
use oxmpl::base::validity::StateValidityChecker;
use oxmpl::geometric::RRTConnect;
use sudar::query::{Batch, Body};
use sudar::{Cuboid, DVec3, Pose};
use sudar_robot::{CellOptions, EdgeOptions, LoadOptions, Robot, RobotCell};

/// Which configurations are free.
struct Free(Arc<RobotCell>);

impl StateValidityChecker<RealVectorState> for Free {
    fn is_valid(&self, state: &RealVectorState) -> bool {
        self.0.check(&state.values, &Batch::default()).is_ok_and(|free| free == [true])
    }
}

/// One configuration as a goal.
struct At(RealVectorState, Arc<RealVectorStateSpace>);

impl Goal<RealVectorState> for At {
    fn is_satisfied(&self, state: &RealVectorState) -> bool {
        self.distance_goal(state) < 1e-9
    }
}

impl GoalRegion<RealVectorState> for At {
    fn distance_goal(&self, state: &RealVectorState) -> f64 {
        self.1.distance(state, &self.0)
    }
}

impl GoalSampleableRegion<RealVectorState> for At {
    fn sample_goal(&self, _: &mut impl rand::Rng) -> Result<RealVectorState, StateSamplingError> {
        Ok(self.0.clone())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rod = r#"<collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision>"#;
    let turn = r#"<axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="1"/>"#;
    let urdf = format!(
        r#"<robot name="arm"><link name="base"/><link name="upper">{rod}</link><link name="lower">{rod}</link>
        <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>{turn}</joint>
        <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>{turn}</joint>
        </robot>"#
    );
    let robot = Robot::parse(&urdf, "arm.urdf", &LoadOptions::default())?;
    let post = Body::new(Cuboid::new(DVec3::splat(0.1))?);
    let scene = vec![("post".to_owned(), post, Pose::from_translation(DVec3::new(1.2, 0.0, 0.0))?)];
    let cell = Arc::new(RobotCell::new(&robot, scene, &CellOptions::default())?);

    let bounds = robot.limits().iter().map(|limit| (limit.lower, limit.upper)).collect();
    let mut space = RealVectorStateSpace::new(robot.dof(), Some(bounds))?;
    space.set_longest_valid_segment_fraction(0.05);
    let space = Arc::new(space);
    let state = |q: [f64; 2]| RealVectorState { values: q.to_vec() };
    let goal = Arc::new(At(state([0.8, 0.0]), space.clone()));
    let problem = Arc::new(ProblemDefinition { space, start_states: vec![state([-0.8, 0.0])], goal });
    let mut planner = RRTConnect::new(0.5, 0.05, &PlannerConfig { seed: Some(1) });
    planner.setup(problem, Arc::new(Free(cell.clone())));
    let path = planner.solve(Duration::from_secs(5)).map_err(|why| format!("{why:?}"))?;

    // OxMPL tests samples; this is every instant.
    let waypoints: Vec<f64> = path.0.iter().flat_map(|state| state.values.iter().copied()).collect();
    let answer = cell.check_path(&waypoints, &EdgeOptions::default(), &Batch::default())?;
    println!("{} waypoints; certified: {}", path.0.len(), answer.is_free());
    if answer.is_free() {
        let verified = cell.certificate(&waypoints, &Batch::default())?.check()?;
        println!("{} edges, {} pairs, {} proofs", verified.edges, verified.pairs, verified.leaves);
    }
    Ok(())
}
