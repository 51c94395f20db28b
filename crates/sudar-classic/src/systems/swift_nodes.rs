//! The hierarchy of hulls of SWIFT++, and distances between its nodes.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::convex::{ClosestFeatures, Feature, FeatureMap, FeatureOutcome, PosedFeatures};
use crate::hull::{ConvexPiece, FaceKind, convex_pieces};
use crate::tree::{BuildRules, Items, SplitAxis, SplitPoint, UnsplitRule, VolumeTree, visit};
use sudar::convex::{Convex, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::effort::Meter;
use sudar::hull::{HullError, convex_hull};
use sudar::math::Interval;
use sudar::pair::{aabb_aabb, triangles_cross, triangles_meet_beyond_shared_corners};
use sudar::{Aabb, DVec3, Hull, Mesh, Pose, Shape, Triangle};

/// A node: the hull of everything below, and where its faces come from.
#[derive(Debug, Clone)]
pub(crate) struct HullNode {
    pub convex: Convex,
    pub faces: Vec<FaceKind>,
    pub map: Option<FeatureMap>,
    hull: Arc<Hull>,
}

/// Bounds for two nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    /// Holds the distance of the hulls.
    pub distance: Interval,
    /// The nearest points, if they lie on the surfaces themselves: then the distance is that of the surfaces below.
    pub on_surfaces: Option<[DVec3; 2]>,
}

impl HullNode {
    pub fn new(hull: Arc<Hull>, faces: Vec<FaceKind>) -> Option<Self> {
        let convex = Convex::of(&Shape::Hull(hull.clone()))?;
        let map = FeatureMap::of(&convex);
        Some(Self { convex, faces, map, hull })
    }

    /// Whether a feature of the hull is on the surface: vertices are, edges beside original faces, and these.
    fn is_on_surface(&self, feature: Feature) -> bool {
        let original = |face: u32| self.faces.get(face as usize) == Some(&FaceKind::Original);
        match feature {
            Feature::Vertex(_) => true,
            Feature::Face(face) => original(face),
            Feature::Edge(edge) => {
                let edge = self.hull.half_edges()[edge as usize];
                original(edge.face) || original(self.hull.half_edges()[edge.twin as usize].face)
            }
        }
    }

    /// The distance of two hulls by Lin and Canny's walk, by GJK where that does not end.
    pub fn gap(&self, pose: &Pose, other: &Self, other_pose: &Pose, features: &mut ClosestFeatures) -> Gap {
        let (at, there) = (PosedConvex::new(&self.convex, pose), PosedConvex::new(&other.convex, other_pose));
        if let (Some(map), Some(other_map)) = (&self.map, &other.map)
            && let (Some(first), Some(second)) =
                (PosedFeatures::new(map, at), PosedFeatures::new(other_map, there))
        {
            match features.update(&first, &second).outcome {
                FeatureOutcome::Apart(closest) => {
                    let [f, g] = closest.features;
                    let on = self.is_on_surface(f) && other.is_on_surface(g);
                    let on_surfaces = on.then_some([closest.point_a, closest.point_b]);
                    return Gap { distance: closest.certified, on_surfaces };
                }
                FeatureOutcome::Penetrating => {
                    return Gap { distance: Interval { lower: 0.0, upper: 0.0 }, on_surfaces: None };
                }
                FeatureOutcome::Touching(_) | FeatureOutcome::GaveUp => {}
            }
        }
        let found = gjk(&Difference::new(at, there), &GjkMemory::NONE, &GjkOptions::DISTANCE);
        Gap { distance: found.distance, on_surfaces: None }
    }
}

/// The tree and the hulls of its nodes, by their numbers.
#[derive(Debug, Clone)]
pub(crate) struct Hierarchy {
    pub pieces: Vec<ConvexPiece>,
    pub tree: VolumeTree<Aabb>,
    pub nodes: Vec<HullNode>,
}

impl Hierarchy {
    pub fn new(mesh: &Mesh, point: SplitPoint) -> Result<Self, HullError> {
        let pieces = pieces_of(mesh)?;
        let mut items = Items::new();
        for piece in &pieces {
            items.push(piece.hull.vertices());
        }
        let rules = BuildRules {
            axis: SplitAxis::MostSpread,
            point,
            unsplit: UnsplitRule::Median,
            ties_alternate: false,
            leaf: 1,
        };
        let tree = VolumeTree::<Aabb>::top_down(&items, &rules);
        let nodes = hulls(mesh, &pieces, &tree)?;
        Ok(Self { pieces, tree, nodes })
    }
}

/// The convex pieces of a surface whose hulls leave the rest of it alone.
pub(crate) fn pieces_of(mesh: &Mesh) -> Result<Vec<ConvexPiece>, HullError> {
    let triangles = VolumeTree::<Aabb>::top_down(&Items::triangles(mesh), &BuildRules::DEFAULT);
    convex_pieces(mesh, |face, own| is_free(mesh, &triangles, face, own))
}

/// Whether a new face of a piece leaves the rest of the surface alone.
fn is_free(mesh: &Mesh, tree: &VolumeTree<Aabb>, face: &Triangle, own: &[u32]) -> bool {
    let around = face.aabb();
    let mut free = true;
    let _ = visit(
        tree,
        &mut Meter::unlimited(),
        |aabb| aabb_aabb(aabb, &around),
        |leaf| {
            let others = tree.items(leaf).iter().filter(|t| own.binary_search(t).is_err());
            free &= !others
                .map(|&t| mesh.triangle(t))
                .any(|t| triangles_cross(face, &t) && triangles_meet_beyond_shared_corners(face, &t));
            if free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    free
}

/// The hulls from the leaves up: of a node that of the hulls of its children.
fn hulls(mesh: &Mesh, pieces: &[ConvexPiece], tree: &VolumeTree<Aabb>) -> Result<Vec<HullNode>, HullError> {
    let mut built: Vec<Option<HullNode>> = vec![None; tree.nodes().len()];
    // Faces below that are not free, by the sorted vertices of the mesh at their corners.
    let mut kinds: Vec<BTreeSet<(Vec<u32>, bool)>> = vec![BTreeSet::new(); tree.nodes().len()];
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes().len()];
    for i in (0..tree.nodes().len()).rev() {
        let (hull, faces) = match tree.items(i as u32) {
            [piece] => {
                let piece = &pieces[*piece as usize];
                sources[i] = piece.hull.sources().to_vec();
                (piece.hull.clone(), piece.faces.clone())
            }
            _ => {
                let children = tree.children(i as u32);
                let mut vertices: Vec<u32> =
                    children.clone().flat_map(|child| sources[child as usize].clone()).collect();
                vertices.sort_unstable();
                vertices.dedup();
                let points: Vec<DVec3> = vertices.iter().map(|&v| mesh.vertices()[v as usize]).collect();
                let hull = convex_hull(&points)?;
                sources[i] = hull.sources().iter().map(|&s| vertices[s as usize]).collect();
                let below: BTreeSet<(Vec<u32>, bool)> =
                    children.flat_map(|child| std::mem::take(&mut kinds[child as usize])).collect();
                let kind = |face: usize| {
                    let corners = loop_of(&hull, &sources[i], face);
                    if below.contains(&(corners.clone(), true)) {
                        FaceKind::Original
                    } else if below.contains(&(corners, false)) {
                        FaceKind::Contained
                    } else {
                        FaceKind::Free
                    }
                };
                let faces = (0..hull.faces().len()).map(kind).collect();
                (hull, faces)
            }
        };
        let faces: Vec<FaceKind> = faces;
        for (face, kind) in faces.iter().enumerate() {
            if *kind != FaceKind::Free {
                kinds[i].insert((loop_of(&hull, &sources[i], face), *kind == FaceKind::Original));
            }
        }
        built[i] = HullNode::new(Arc::new(hull), faces);
    }
    // A hull is always convex: none is missing.
    Ok(built.into_iter().flatten().collect())
}

fn loop_of(hull: &Hull, sources: &[u32], face: usize) -> Vec<u32> {
    let mut corners: Vec<u32> = hull.face(face).map(|v| sources[v as usize]).collect();
    corners.sort_unstable();
    corners
}

/// A pair of nodes that waits, the nearest first; of equals that which was found first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    pub lower: f64,
    pub serial: u64,
    pub a: u32,
    pub b: u32,
    pub gap: Gap,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    /// The greatest is the one to come next.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.serial.cmp(&self.serial))
    }
}
