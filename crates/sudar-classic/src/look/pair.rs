//! Two meshes in the structures of one system.

use std::sync::Arc;

use sudar::effort::Budget;
use sudar::volume::Volume;
use sudar::{HullError, Mesh, Pose};
use thiserror::Error;

use super::outline::{Outline, Outlined};
use super::system::System;
use crate::tree::{Visit, VolumeTree};
use crate::{
    BodyId, Cd, CdError, ColDet, ConvexBody, ConvexPart, Effort, Limits, LinCannyPair, PairMethod, PosedPart,
    QuickCd, QuickCdOptions, Rapid, SeparatingPair, Solid, SphereTree, Stop, Swift, SwiftOptions, proximity,
};

/// Why a structure could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LookError {
    /// CD refuses the triangles.
    #[error(transparent)]
    Cd(#[from] CdError),
    /// A piece has too many points for a hull.
    #[error(transparent)]
    Hull(#[from] HullError),
}

/// A node of a hierarchy.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownNode {
    /// How far below the root, which is at level 0.
    pub level: u32,
    /// The node that it is a child of; none of the root.
    pub parent: Option<u32>,
    /// Whether it has triangles.
    pub is_leaf: bool,
    /// What bounds it, in the frame of its body.
    pub outline: Outline,
    /// The triangles of a leaf; none of other nodes. Leaves of the sphere tree share some.
    pub triangles: Vec<u32>,
}

/// What a search found, as far as all systems say it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Whether the bodies meet; `None` if the budget ran out before that was certain.
    pub meet: Option<bool>,
    /// What it took; volumes are pairs of nodes.
    pub effort: Effort,
}

/// Two meshes in the structures of one system.
#[derive(Debug, Clone)]
pub struct SystemPair {
    inner: Inner,
}

#[derive(Debug, Clone)]
enum Inner {
    SphereTree([SphereTree; 2]),
    Solid([Solid; 2]),
    Rapid([Rapid; 2]),
    QuickCd6(Box<QuickCd<3>>),
    QuickCd14(Box<QuickCd<7>>),
    QuickCd18(Box<QuickCd<9>>),
    QuickCd26(Box<QuickCd<13>>),
    Cd(Box<[Cd; 2]>),
    Swift([Swift; 2]),
    ColDet([ColDet; 2]),
    ICollide(Box<[Parts; 2]>),
    QCollide(Box<[Parts; 2]>),
}

/// A body of convex parts, and the triangles of each.
#[derive(Debug, Clone)]
struct Parts {
    body: ConvexBody,
    triangles: Vec<Vec<u32>>,
}

impl Parts {
    fn new(mesh: &Mesh) -> Result<Self, HullError> {
        let (parts, triangles) = ConvexPart::with_triangles(mesh)?.into_iter().unzip();
        Ok(Self { body: ConvexBody::new(parts), triangles })
    }

    /// The nodes: boxes, and hulls where a part is alone.
    fn nodes(&self) -> Vec<ShownNode> {
        let mut nodes = shown(self.body.tree());
        for node in &mut nodes {
            if let [part] = node.triangles[..]
                && let Some(hull) = self.body.parts().get(part as usize).and_then(ConvexPart::hull)
            {
                node.outline = Outline::Hull(hull.clone());
            }
        }
        name_triangles(&mut nodes, |part| self.triangles.get(part as usize).map_or(&[], Vec::as_slice));
        nodes
    }
}

impl SystemPair {
    /// Builds the structures, with the choices of the authors. O(n log n) for most; convex pieces take longer.
    ///
    /// # Errors
    /// [`LookError`].
    pub fn new(system: System, meshes: [Arc<Mesh>; 2]) -> Result<Self, LookError> {
        let inner = match system {
            System::SphereTree => Inner::SphereTree(meshes.map(SphereTree::new)),
            System::Solid => Inner::Solid(meshes.map(Solid::new)),
            System::Rapid => Inner::Rapid(meshes.map(Rapid::new)),
            System::QuickCd6 => Inner::QuickCd6(quick_cd(meshes)),
            System::QuickCd14 => Inner::QuickCd14(quick_cd(meshes)),
            System::QuickCd18 => Inner::QuickCd18(quick_cd(meshes)),
            System::QuickCd26 => Inner::QuickCd26(quick_cd(meshes)),
            System::Cd => {
                let [a, b] = meshes.map(|mesh| cd(&mesh));
                Inner::Cd(Box::new([a?, b?]))
            }
            System::Swift => {
                let [a, b] = meshes.map(|mesh| Swift::new(mesh, &SwiftOptions::DEFAULT));
                Inner::Swift([a?, b?])
            }
            System::ColDet => Inner::ColDet(meshes.map(ColDet::new)),
            System::ICollide => Inner::ICollide(parts(&meshes)?),
            System::QCollide => Inner::QCollide(parts(&meshes)?),
        };
        Ok(Self { inner })
    }

    /// The nodes of the first (0) or the second (1) mesh, by the numbers that visits have. O(n).
    pub fn nodes(&self, side: usize) -> Vec<ShownNode> {
        let side = side.min(1);
        match &self.inner {
            Inner::SphereTree(pair) => shown(pair[side].model().tree()),
            Inner::Solid(pair) => shown(pair[side].model().tree()),
            Inner::Rapid(pair) => shown(pair[side].model().tree()),
            Inner::QuickCd6(pair) => of_quick_cd(pair, side),
            Inner::QuickCd14(pair) => of_quick_cd(pair, side),
            Inner::QuickCd18(pair) => of_quick_cd(pair, side),
            Inner::QuickCd26(pair) => of_quick_cd(pair, side),
            Inner::Cd(pair) => pair[side].tree().map_or(Vec::new(), |(tree, patches)| {
                let mut nodes = shown(tree);
                name_triangles(&mut nodes, |patch| patches.get(patch as usize).copied().unwrap_or(&[]));
                nodes
            }),
            Inner::Swift(pair) => {
                let swift = &pair[side];
                let mut nodes = shown(swift.tree());
                for (i, node) in (0..).zip(&mut nodes) {
                    if let Some(hull) = swift.hull(i) {
                        node.outline = Outline::Hull(hull.clone());
                    }
                }
                name_triangles(&mut nodes, |piece| swift.piece(piece));
                nodes
            }
            Inner::ColDet(pair) => shown(pair[side].model().tree()),
            Inner::ICollide(pair) | Inner::QCollide(pair) => pair[side].nodes(),
        }
    }

    /// Makes the system's search for all pairs of triangles that meet, CD's for its two points, SWIFT++'s for the
    /// distance of the surfaces, I-COLLIDE's for the nearest convex parts, Q-COLLIDE's for two that collide, and
    /// reports every pair of nodes that is tested, in order; leaves of these two test parts, not triangles. SWIFT++,
    /// I-COLLIDE and Q-COLLIDE heed no budget.
    pub fn search(&mut self, poses: [&Pose; 2], budget: Budget, report: &mut dyn FnMut(Visit)) -> Seen {
        let [p, q] = poses;
        let limits = Limits { stop: Stop::All, budget };
        let found = match &mut self.inner {
            Inner::SphereTree([a, b]) => {
                a.model().collide_watched(p, b.model(), q, SphereTree::ORDER, limits, report)
            }
            Inner::Solid([a, b]) => a.model().collide_watched(p, b.model(), q, Solid::ORDER, limits, report),
            Inner::Rapid([a, b]) => a.model().collide_watched(p, b.model(), q, Rapid::ORDER, limits, report),
            Inner::QuickCd6(pair) => pair.collide_watched(p, q, limits, report),
            Inner::QuickCd14(pair) => pair.collide_watched(p, q, limits, report),
            Inner::QuickCd18(pair) => pair.collide_watched(p, q, limits, report),
            Inner::QuickCd26(pair) => pair.collide_watched(p, q, limits, report),
            Inner::ColDet([a, b]) => {
                a.model().collide_watched(p, b.model(), q, ColDet::ORDER, limits, report)
            }
            Inner::Cd(pair) => return search_cd(pair, poses, budget, report),
            Inner::Swift([a, b]) => return search_swift(a, b, poses, report),
            Inner::ICollide(pair) => return search_parts::<LinCannyPair>(pair, poses, report),
            Inner::QCollide(pair) => return search_parts::<SeparatingPair>(pair, poses, report),
        };
        let meet = (found.complete || found.is_touching()).then(|| found.is_touching());
        Seen { meet, effort: found.effort }
    }
}

fn quick_cd<const SLABS: usize>([environment, body]: [Arc<Mesh>; 2]) -> Box<QuickCd<SLABS>> {
    let options = QuickCdOptions { front: false, ..QuickCdOptions::DEFAULT };
    Box::new(QuickCd::new(environment, body, &options))
}

fn cd(mesh: &Mesh) -> Result<Cd, CdError> {
    let mut object = Cd::new();
    object.add_mesh(mesh)?;
    object.process_triangles()?;
    Ok(object)
}

fn search_cd(pair: &mut [Cd; 2], poses: [&Pose; 2], budget: Budget, tell: &mut dyn FnMut(Visit)) -> Seen {
    let [a, b] = pair;
    a.set_pose(poses[0]);
    b.set_pose(poses[1]);
    // Both were processed when they were made.
    let found = a.check_watched(b, budget, tell).ok();
    Seen { meet: found.filter(|_| !a.is_timed_out()), effort: a.effort() }
}

fn search_swift(a: &Swift, b: &Swift, poses: [&Pose; 2], tell: &mut dyn FnMut(Visit)) -> Seen {
    let mut volumes = 0;
    let found = a.distance_watched(poses[0], b, poses[1], f64::INFINITY, &mut |visit| {
        volumes += 1;
        tell(visit);
    });
    let meet = found.and_then(|found| match found.distance {
        distance if distance.upper == 0.0 => Some(true),
        distance if distance.lower > 0.0 => Some(false),
        _ => None,
    });
    let effort = found.map_or(Effort { volume_tests: volumes, triangle_tests: 0 }, |found| found.effort);
    Seen { meet, effort }
}

fn parts([a, b]: &[Arc<Mesh>; 2]) -> Result<Box<[Parts; 2]>, HullError> {
    Ok(Box::new([Parts::new(a)?, Parts::new(b)?]))
}

/// Nothing is kept of earlier poses.
fn search_parts<M: PairMethod>([a, b]: &[Parts; 2], poses: [&Pose; 2], tell: &mut dyn FnMut(Visit)) -> Seen {
    let mut test = |_: [u32; 2], p: PosedPart, q: PosedPart| M::default().test(p, q);
    let mut volumes = 0;
    let mut count = |visit| {
        volumes += 1;
        tell(visit);
    };
    let bodies = [(&a.body, poses[0]), (&b.body, poses[1])];
    let found = proximity([BodyId(0), BodyId(1)], bodies, M::MEASURES, &mut test, Some(&mut count));
    let effort = Effort { volume_tests: volumes, triangle_tests: u64::from(found.tests) };
    Seen { meet: Some(found.colliding), effort }
}

fn of_quick_cd<const SLABS: usize>(pair: &QuickCd<SLABS>, side: usize) -> Vec<ShownNode> {
    let model = if side == 0 { pair.environment() } else { pair.body() };
    shown(model.tree())
}

/// The nodes of a tree, with its items as triangles.
fn shown<V: Volume + Outlined>(tree: &VolumeTree<V>) -> Vec<ShownNode> {
    let mut nodes: Vec<ShownNode> = Vec::with_capacity(tree.nodes().len());
    for (i, node) in (0..).zip(tree.nodes()) {
        nodes.push(ShownNode {
            level: 0,
            parent: None,
            is_leaf: node.is_leaf,
            outline: node.volume.outline(),
            triangles: tree.items(i).to_vec(),
        });
    }
    // Children come after their parents.
    for i in 0..nodes.len() {
        for child in tree.children(i as u32) {
            let level = nodes[i].level + 1;
            let below = &mut nodes[child as usize];
            (below.level, below.parent) = (level, Some(i as u32));
        }
    }
    nodes
}

/// Puts the triangles of items in their place.
fn name_triangles<'t>(nodes: &mut [ShownNode], triangles: impl Fn(u32) -> &'t [u32]) {
    for node in nodes {
        node.triangles = node.triangles.iter().flat_map(|&item| triangles(item)).copied().collect();
    }
}

#[cfg(test)]
mod tests {
    use sudar::{DQuat, DVec3};
    use sudar_testing::meshes;

    use super::*;
    use crate::brute_force;
    use crate::tree::Fate;

    fn ball(rings: u32, radius: f64) -> Arc<Mesh> {
        Arc::new(meshes::sphere(rings, radius))
    }

    fn pose(x: f64) -> Pose {
        Pose::new(DVec3::new(x, 0.3, -0.2), DQuat::from_rotation_y(0.7)).unwrap()
    }

    #[test]
    fn every_triangle_is_in_a_leaf_and_every_node_holds_what_is_below() {
        let mesh = ball(8, 1.0);
        for system in System::ALL {
            let pair = SystemPair::new(system, [mesh.clone(), mesh.clone()]).unwrap();
            for side in [0, 1] {
                let nodes = pair.nodes(side);
                let mut all: Vec<u32> = nodes.iter().flat_map(|node| node.triangles.clone()).collect();
                all.sort_unstable();
                // Octants share triangles that reach into several of them.
                all.dedup();
                assert!(all.into_iter().eq(0..mesh.triangles().len() as u32), "{system:?}");
                for node in &nodes {
                    assert_eq!(node.is_leaf, !node.triangles.is_empty(), "{system:?}");
                    let above = node.parent.map(|i| nodes[i as usize].level + 1);
                    assert_eq!(node.level, above.unwrap_or(0));
                    // A sphere holds what is of its triangles in its cube.
                    for t in node.triangles.iter().filter(|_| system != System::SphereTree) {
                        let corners = mesh.triangle(*t).corners();
                        assert!(corners.iter().all(|p| holds(&node.outline, *p)), "{system:?}");
                    }
                }
            }
        }
    }

    fn holds(outline: &Outline, p: DVec3) -> bool {
        match outline {
            Outline::Aabb(aabb) => aabb.holds(p),
            Outline::Obb(obb) => obb.holds(p),
            Outline::Sphere(sphere) => sphere.holds(p),
            Outline::Hull(hull) => hull.contains(p),
            // No corner of the k-DOP is beyond the point on all sides.
            Outline::Polytope(polytope) => {
                let corners = polytope.corners();
                let most = |way: DVec3| corners.iter().map(|c| c.dot(way)).fold(f64::MIN, f64::max);
                [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z]
                    .iter()
                    .all(|way| p.dot(*way) <= most(*way) + 1e-12)
            }
        }
    }

    /// What is told adds up to what the search says it took, in every system; hits to the pairs by brute force.
    #[test]
    fn visits_are_those_of_the_search() {
        let meshes = [ball(8, 1.0), ball(6, 0.8)];
        for (x, touch) in [(1.2, true), (1.9, false), (5.0, false)] {
            let expected =
                brute_force(&meshes[0], &Pose::IDENTITY, &meshes[1], &pose(x), Stop::All).pairs.len() as u64;
            assert_eq!(expected > 0, touch);
            for system in System::ALL {
                let mut pair = SystemPair::new(system, meshes.clone()).unwrap();
                let mut visits: Vec<Visit> = Vec::new();
                let seen =
                    pair.search([&Pose::IDENTITY, &pose(x)], Budget::UNLIMITED, &mut |v| visits.push(v));
                assert_eq!(seen.meet, Some(touch), "{system:?} {x}");
                assert_eq!(visits.len() as u64, seen.effort.volume_tests, "{system:?}");
                assert_eq!(visits[0].nodes, [0, 0]);
                let leaves = visits.iter().filter_map(|visit| {
                    if let Fate::Leaves { tests, hits } = visit.fate { Some([tests, hits]) } else { None }
                });
                let sums = leaves.fold([0, 0], |sum, more| [sum[0] + more[0], sum[1] + more[1]]);
                // SWIFT walks over features.
                let tests = if system == System::Swift { 0 } else { seen.effort.triangle_tests };
                assert_eq!(sums[0], tests, "{system:?}");
                // CD and the systems of parts end at their first hit.
                let is_cd = matches!(system, System::Cd | System::ICollide | System::QCollide);
                let hits = if is_cd { u64::from(touch) } else { expected };
                let found = if is_cd { sums[1].min(1) } else { sums[1] };
                assert!(system == System::Swift && sums[1] == 0 || found == hits, "{system:?}");
                let nodes = [pair.nodes(0), pair.nodes(1)];
                for visit in &visits {
                    let are_leaves = [0, 1].map(|k| nodes[k][visit.nodes[k] as usize].is_leaf) == [true; 2];
                    let fits = match visit.fate {
                        Fate::Leaves { .. } => are_leaves,
                        Fate::Opened => !are_leaves,
                        Fate::Pruned | Fate::Measured(_) => true,
                    };
                    assert!(fits, "{system:?} {visit:?}");
                }
            }
        }
    }

    #[test]
    fn a_budget_ends_what_is_told() {
        let meshes = [ball(8, 1.0), ball(6, 0.8)];
        let heedless = [System::Swift, System::ICollide, System::QCollide];
        for system in System::ALL.into_iter().filter(|system| !heedless.contains(system)) {
            let mut pair = SystemPair::new(system, meshes.clone()).unwrap();
            let mut visits = 0;
            let seen = pair.search([&Pose::IDENTITY, &pose(1.2)], Budget::nodes(3), &mut |_| visits += 1);
            assert_eq!((visits, seen.meet), (3, None), "{system:?}");
        }
    }
}
