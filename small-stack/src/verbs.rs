//! Every verb on every pair of shapes.

use std::hint::black_box;

use sudar::convex::Accuracy;
use sudar::hull::{convex_hull, incremental};
use sudar::mass::{MassError, Resolution, VoxelOptions, mass_properties, voxel_mass};
use sudar::motion::Motion;
use sudar::query::{
    Batch, BatchTargets, Body, DistanceOptions, Memory, Path, SweepOptions, Work, cast_shape, cast_sphere,
    closest_point, contains, contains_by_winding, depth_along, first_collision_on_path, prove_apart,
    prove_distance, ray, ray_all, ray_any, self_intersections, surface_depth, sweep, sweep_bisected,
    triangles_touching, winding_number,
};
use sudar::{DVec3, Pose, Ray};
use sudar_classic::hull::convex_pieces;
use sudar_classic::motion::{PassageOptions, edge_edge, vertex_face};
use sudar_classic::volume::Bounds;

use crate::Done;
use crate::shapes::{Numbers, bodies, bumpy_ball};

/// Wide enough for a debug build to end soon.
const ROUGH: Accuracy = Accuracy { absolute: 0.0, relative: 0.1 };

pub fn all() -> Done {
    let (bodies, mut numbers) = (bodies()?, Numbers(2));
    for a in &bodies {
        for b in &bodies {
            let poses = [numbers.pose(0.1)?, numbers.pose(1.5)?];
            of_pair([a, b], &poses);
        }
        of_one(a, &numbers.pose(0.2)?, &mut numbers)?;
    }
    let ball = Body::new(bumpy_ball(3)?);
    let poses: Vec<Pose> = (0..64).map(|_| numbers.pose(1.5)).collect::<Result<_, _>>()?;
    let batch = Batch::default();
    let others = BatchTargets::Poses(&ball, &poses);
    black_box(batch.others(others, |work, other| {
        work.distance(ball.at(&Pose::IDENTITY), other, &DistanceOptions::EXACT)
    }));
    of_pair([&ball, &ball], &[Pose::IDENTITY, numbers.pose(0.9)?]);
    Ok(())
}

fn of_pair([body_a, body_b]: [&Body; 2], [pose_a, pose_b]: &[Pose; 2]) {
    let (a, b) = (body_a.at(pose_a), body_b.at(pose_b));
    let mut memory = Memory::default();
    for mut work in [Work::default(), Work::default().remembering(&mut memory)] {
        black_box(work.intersects(a, b));
        black_box(work.distance(a, b, &DistanceOptions::EXACT));
        black_box(work.within(a, b, 0.1));
        black_box(work.penetration_within(a, b, &ROUGH));
    }
    let mut work = Work::default();
    black_box((work.contacts(a, b), work.contacts_of_parts(a, b), work.manifold(a, b, 0.05)));
    black_box(work.local_minima(a, b, 0.1));
    black_box(triangles_touching(body_a.at(pose_a), body_b.at(pose_b)));
    black_box(depth_along(body_a.at(pose_a), body_b.at(pose_b), DVec3::X, &ROUGH));
    // Round bodies have no flat faces.
    let _ = black_box(surface_depth(body_a.at(pose_a), body_b.at(pose_b), &ROUGH));
    let found = work.distance(a, b, &DistanceOptions::EXACT);
    black_box(prove_distance(body_a.at(pose_a), body_b.at(pose_b), &found));
    black_box(prove_apart(body_a.at(pose_a), body_b.at(pose_b), 0.5 * found.interval.lower));
}

fn of_one(body: &Body, pose: &Pose, numbers: &mut Numbers) -> Done {
    for _ in 0..4 {
        let (origin, way) = (numbers.point() * 2.0, numbers.point());
        let along = Ray::new(origin, way)?;
        black_box((
            ray(body.at(pose), &along, 9.0),
            ray_any(body.at(pose), &along, 9.0),
            ray_all(body.at(pose), &along, 9.0),
        ));
        black_box((closest_point(body.at(pose), origin), winding_number(body.at(pose), origin, 0.1)));
        black_box((contains(body.at(pose), origin).ok(), contains_by_winding(body.at(pose), origin)));
    }
    black_box(self_intersections(body.at(pose)));
    Ok(())
}

pub fn sweeps() -> Done {
    let (bodies, mut numbers) = (bodies()?, Numbers(3));
    for a in &bodies {
        for b in &bodies {
            let motion = Motion::between(&numbers.pose(2.0)?, &numbers.pose(2.0)?);
            let still = Motion::still(&numbers.pose(0.5)?);
            black_box(sweep(a.moving(&motion), b.moving(&still), &SweepOptions::within(1e-2)));
            black_box(sweep_bisected(a.moving(&motion), b.moving(&still), 4, 4));
            black_box(cast_shape(a.at(motion.start()), numbers.point(), 3.0, b.at(still.start()))?);
        }
        black_box(cast_sphere(numbers.point() * 2.0, 0.1, numbers.point(), 4.0, a.at(&Pose::IDENTITY))?);
    }
    let ways: Vec<Vec<Pose>> =
        (0..6).map(|_| numbers.pose(2.0).map(|pose| vec![pose])).collect::<Result<_, _>>()?;
    let obstacles = [(bodies[0].clone(), Pose::IDENTITY)];
    let path = Path { bodies: &bodies[4..5], poses: &ways, obstacles: &obstacles, apart: &[] };
    black_box(first_collision_on_path(&path, &SweepOptions::within(1e-2)));
    for _ in 0..20 {
        let [start, end] = [0; 2].map(|_| [0; 4].map(|_| numbers.point()));
        let options = PassageOptions { separation: 0.0, delta: 1e-9 };
        black_box((vertex_face(&start, &end, &options), edge_edge(&start, &end, &options)));
    }
    Ok(())
}

pub fn of_points() -> Done {
    let mut numbers = Numbers(4);
    let points: Vec<DVec3> = (0..400).map(|_| numbers.point()).collect();
    black_box((convex_hull(&points)?, incremental(&points[..60])?));
    black_box(Bounds::of(&points).map(|bounds| bounds.tightest_obb()));
    black_box(convex_pieces(&bumpy_ball(2)?, |_, _| true)?);
    let options = VoxelOptions { resolution: Resolution::Cells(30), ..VoxelOptions::default() };
    for body in bodies()? {
        let exact: Result<_, MassError> = mass_properties(body.shape());
        black_box((exact.is_ok(), voxel_mass(body.shape(), &options).is_ok()));
    }
    Ok(())
}
