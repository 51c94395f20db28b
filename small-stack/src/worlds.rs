//! Many bodies: broad phases, scenes, rigid bodies.

use std::hint::black_box;
use std::sync::Arc;

use sudar::broad::{Mobility, Output, Region, candidate_pairs};
use sudar::dynamics::{RigidBody, Settings, World};
use sudar::many::{Among, CollisionManager, Filter, Object};
use sudar::motion::Motion;
use sudar::query::SweepOptions;
use sudar::{Aabb, Cuboid, DVec3, Halfspace, Pose, Ray, Segment, Triangle};
use sudar_clash::{Assembly, ClashOptions, Part, body_of, find_clashes};
use sudar_classic::triangles::{IndexKind, Probe};
use sudar_classic::{ALL_BROAD_PHASES, ALL_RESPONSES, broad_phase, response};

use crate::Done;
use crate::shapes::{Numbers, bodies, bumpy_ball};

fn unit_boxes(count: u32, reach: f64) -> Vec<Aabb> {
    let mut numbers = Numbers(5);
    let mut one = || {
        let center = numbers.point() * reach;
        Aabb { min: center - DVec3::splat(0.5), max: center + DVec3::splat(0.5) }
    };
    (0..count).map(|_| one()).collect()
}

pub fn broad_phases() -> Done {
    black_box(candidate_pairs(&unit_boxes(20_000, 20.0)));
    for algorithm in ALL_BROAD_PHASES {
        let (mut phase, mut all) = (broad_phase(algorithm)?, unit_boxes(400, 6.0));
        let handles =
            all.iter().map(|aabb| phase.insert(*aabb, Mobility::Moving)).collect::<Result<Vec<_>, _>>()?;
        for frame in 0..4 {
            phase.step();
            for (i, aabb) in all.iter_mut().enumerate() {
                let way = DVec3::new(0.03 * f64::from(i as u32 % 7), 0.1 * f64::from(frame), 0.0);
                *aabb = Aabb { min: aabb.min + way, max: aabb.max + way };
            }
            phase.update_all(&handles, &all)?;
        }
        phase.step();
        black_box(phase.query(&Region::Ray(Ray::new(DVec3::splat(-9.0), DVec3::ONE)?, f64::INFINITY)));
        black_box(broad_phase(algorithm)?.list(&all, Output::Pairs)?);
    }
    let mesh = bumpy_ball(2)?;
    let triangles: Vec<Triangle> = (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i)).collect();
    for kind in IndexKind::ALL {
        let index = kind.build(triangles.clone())?;
        black_box(index.query(&Probe::Segment(Segment::new(DVec3::ZERO, DVec3::ONE)?)));
    }
    Ok(())
}

pub fn scenes() -> Done {
    let (body, mut numbers) = (body_of(Arc::new(bumpy_ball(2)?)), Numbers(6));
    let mut manager = CollisionManager::default();
    let mut assembly = Assembly::default();
    for i in 0..60 {
        let (name, pose) = (format!("{i}"), numbers.pose(2.5)?);
        manager.insert(Object::new(name.clone(), body.clone(), pose))?;
        assembly.parts.push(Part { name, body: body.clone(), pose });
    }
    for other in bodies()? {
        manager.insert(Object::new("other", other, numbers.pose(2.0)?))?;
    }
    black_box((manager.step(), manager.collisions(Among::All), manager.within(Among::All, 0.1)?));
    black_box(manager.nearest(Among::All));
    black_box(manager.ray(&Ray::new(DVec3::splat(-9.0), DVec3::ONE)?, f64::INFINITY, Filter::ALL));
    let motion = Motion::linear(&Pose::from_translation(DVec3::X * -5.0)?, DVec3::X * 10.0)?;
    black_box(manager.sweep(body.moving(&motion), Filter::ALL, &SweepOptions::within(1e-2)));
    black_box(find_clashes(&assembly, &ClashOptions::default(), &|_, _| {})?);
    Ok(())
}

pub fn rigid_bodies() -> Done {
    // 2016 boxes that rest on each other from the start.
    let mut world = World::new(Settings::default())?;
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
    for (row, i) in (0..63_u32).flat_map(|row| (0..63 - row).map(move |i| (row, i))) {
        let mut cube = RigidBody::new("box", Cuboid::new(DVec3::splat(0.5))?);
        cube.position.x = f64::from(i) * 1.1 - 0.55 * f64::from(62 - row);
        cube.position.z = 0.5 + f64::from(row);
        world.add(cube)?;
    }
    for _ in 0..3 {
        world.step(1.0 / 60.0)?;
    }
    for name in ALL_RESPONSES {
        let mut world = World::new(Settings { response: response(name)?, ..Settings::default() })?;
        world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
        for (i, body) in bodies()?.into_iter().enumerate() {
            let name = format!("body {i}");
            let position = DVec3::new(f64::from(i as u32 % 4), f64::from(i as u32 / 4), 0.9) * 1.5;
            // What has no volume does not move.
            let _ = world.add(RigidBody { position, ..RigidBody::new(name, body) });
        }
        for _ in 0..20 {
            world.step(1.0 / 60.0)?;
        }
        black_box(world.ray(&Ray::new(DVec3::new(0.0, 0.0, 9.0), -DVec3::Z)?, f64::INFINITY, Filter::ALL));
    }
    Ok(())
}
