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
use sudar::math::{Interval, Sign, orient3d};
use sudar::pair::{aabb_aabb, triangles_cross, triangles_meet_beyond_shared_corners};
use sudar::query::{Body, contains};
use sudar::{Aabb, DVec3, Hull, Mesh, Pose, Shape, Solid, Triangle};

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
    /// The nearest points, if neither lies on a free face: then they are points of the bodies, and nothing below is
    /// nearer.
    pub on_bodies: Option<[DVec3; 2]>,
}

impl HullNode {
    pub fn new(hull: Arc<Hull>, faces: Vec<FaceKind>) -> Option<Self> {
        let convex = Convex::of(&Shape::Hull(hull.clone()))?;
        let map = FeatureMap::of(&convex);
        Some(Self { convex, faces, map, hull })
    }

    pub fn hull(&self) -> &Arc<Hull> {
        &self.hull
    }

    /// Whether a feature of the hull is one of the body: vertices are, edges beside faces that are not free, and
    /// these.
    fn is_of_body(&self, feature: Feature) -> bool {
        let is = |face: u32| self.faces.get(face as usize).is_some_and(|kind| *kind != FaceKind::Free);
        match feature {
            Feature::Vertex(_) => true,
            Feature::Face(face) => is(face),
            Feature::Edge(edge) => {
                let edge = self.hull.half_edges()[edge as usize];
                is(edge.face) || is(self.hull.half_edges()[edge.twin as usize].face)
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
                    let on = self.is_of_body(f) && other.is_of_body(g);
                    let on_bodies = on.then_some([closest.point_a, closest.point_b]);
                    return Gap { distance: closest.certified, on_bodies };
                }
                FeatureOutcome::Penetrating => {
                    return Gap { distance: Interval { lower: 0.0, upper: 0.0 }, on_bodies: None };
                }
                FeatureOutcome::Touching(_) | FeatureOutcome::GaveUp => {}
            }
        }
        let found = gjk(&Difference::new(at, there), &GjkMemory::NONE, &GjkOptions::DISTANCE);
        Gap { distance: found.distance, on_bodies: None }
    }
}

/// A surface in convex pieces, with the tree over these and the hulls of its nodes, by their numbers.
#[derive(Debug, Clone)]
pub(crate) struct Hierarchy {
    pub mesh: Arc<Mesh>,
    /// A vertex of each connected piece of the surface.
    pub representatives: Vec<DVec3>,
    /// The closed body that the surface bounds, if what is inside counts.
    pub solid: Option<Body>,
    pub pieces: Vec<Piece>,
    pub tree: VolumeTree<Aabb>,
    pub nodes: Vec<HullNode>,
    /// Over the triangles.
    pub triangles: VolumeTree<Aabb>,
}

/// A convex piece.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub triangles: Vec<u32>,
    pub hull: Arc<Hull>,
    /// Those of a piece that is not full are original or free: nothing is known of what closes it.
    pub faces: Vec<FaceKind>,
    /// Whether all of its hull belongs to the body, and not the triangles alone.
    pub is_full: bool,
}

impl Hierarchy {
    pub fn new(mesh: Arc<Mesh>, solid: Option<&Solid>, point: SplitPoint) -> Result<Self, HullError> {
        let (triangles, pieces) = pieces_of(&mesh)?;
        let solid = solid.map(|solid| Body::new(Shape::Solid(Arc::new(solid.clone()))));
        let representatives = representatives(&mesh);
        let checked = pieces.into_iter().map(|piece| Piece::new(piece, &mesh, &triangles, solid.as_ref()));
        let pieces: Vec<Piece> = checked.collect();
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
        let nodes = hulls(&mesh, &pieces, &tree)?;
        Ok(Self { mesh, representatives, solid, pieces, tree, nodes, triangles })
    }
}

impl Piece {
    /// Full if there is an inside, the faces that close the piece lie in it, and no other triangle lies in the hull:
    /// then nothing outside the body does.
    fn new(
        ConvexPiece { triangles, hull, mut faces }: ConvexPiece,
        mesh: &Mesh,
        tree: &VolumeTree<Aabb>,
        solid: Option<&Body>,
    ) -> Self {
        let contained = |&i: &usize| faces[i] == FaceKind::Contained;
        let is_full = solid.is_some_and(|solid| match hull.dimension() {
            3 => {
                let middle = |face: usize| middle(hull.face(face).map(|v| hull.vertices()[v as usize]));
                let holds = |p: DVec3| contains(solid.at(&Pose::IDENTITY), p) == Ok(true);
                (0..faces.len()).filter(contained).all(|face| holds(middle(face)))
                    && !encloses_any(&hull, mesh, tree, &triangles)
            }
            // A flat one is full if its triangles fill one of its two faces.
            _ => faces.contains(&FaceKind::Original),
        });
        if !is_full {
            let closing = faces.iter_mut().filter(|kind| **kind == FaceKind::Contained);
            closing.for_each(|kind| *kind = FaceKind::Free);
        }
        Self { triangles, hull: Arc::new(hull), faces, is_full }
    }
}

/// The first corner of the first triangle of each connected piece.
fn representatives(mesh: &Mesh) -> Vec<DVec3> {
    let (pieces, mut found) = (mesh.topology().pieces(mesh), Vec::new());
    for (t, &piece) in (0..).zip(&pieces) {
        if piece as usize == found.len() {
            found.push(mesh.triangle(t).a);
        }
    }
    found
}

fn middle(corners: impl Iterator<Item = DVec3>) -> DVec3 {
    let corners: Vec<DVec3> = corners.collect();
    corners.iter().map(|p| *p / corners.len() as f64).sum()
}

/// Whether the hull of a piece has the middle of another triangle inside, off all faces.
fn encloses_any(hull: &Hull, mesh: &Mesh, tree: &VolumeTree<Aabb>, own: &[u32]) -> bool {
    let around = Aabb::around(hull.vertices().iter().copied());
    let corner = |face: usize, i: usize| hull.face(face).nth(i).map(|v| hull.vertices()[v as usize]);
    let behind = |face: usize, p: DVec3| match [0, 1, 2].map(|i| corner(face, i)) {
        [Some(a), Some(b), Some(c)] => orient3d(a, b, c, p) == Sign::Negative,
        _ => false,
    };
    let mut enclosed = false;
    let _ = visit(
        tree,
        &mut Meter::unlimited(),
        |aabb| aabb_aabb(aabb, &around),
        |leaf| {
            let others = tree.items(leaf).iter().filter(|t| !own.contains(t));
            let middles = others.map(|&t| middle(mesh.triangle(t).corners().into_iter()));
            enclosed |= middles.into_iter().any(|p| (0..hull.faces().len()).all(|face| behind(face, p)));
            if enclosed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    enclosed
}

/// The convex pieces of a surface whose hulls leave the rest of it alone, after a tree over its triangles.
pub(crate) fn pieces_of(mesh: &Mesh) -> Result<(VolumeTree<Aabb>, Vec<ConvexPiece>), HullError> {
    let triangles = VolumeTree::<Aabb>::top_down(&Items::triangles(mesh), &BuildRules::DEFAULT);
    let pieces = convex_pieces(mesh, |face, own| is_free(mesh, &triangles, face, own))?;
    Ok((triangles, pieces))
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
fn hulls(mesh: &Mesh, pieces: &[Piece], tree: &VolumeTree<Aabb>) -> Result<Vec<HullNode>, HullError> {
    let mut built: Vec<Option<HullNode>> = vec![None; tree.nodes().len()];
    // Faces below that are not free, by the sorted vertices of the mesh at their corners.
    let mut kinds: Vec<BTreeSet<(Vec<u32>, bool)>> = vec![BTreeSet::new(); tree.nodes().len()];
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes().len()];
    for i in (0..tree.nodes().len()).rev() {
        let (hull, faces): (Arc<Hull>, Vec<FaceKind>) = match tree.items(i as u32) {
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
                (Arc::new(hull), faces)
            }
        };
        for (face, kind) in faces.iter().enumerate() {
            if *kind != FaceKind::Free {
                kinds[i].insert((loop_of(&hull, &sources[i], face), *kind == FaceKind::Original));
            }
        }
        built[i] = HullNode::new(hull, faces);
    }
    // A hull is always convex: none is missing.
    Ok(built.into_iter().flatten().collect())
}

fn loop_of(hull: &Hull, sources: &[u32], face: usize) -> Vec<u32> {
    let mut corners: Vec<u32> = hull.face(face).map(|v| sources[v as usize]).collect();
    corners.sort_unstable();
    corners
}

/// A pair of nodes that waits, the nearest first; of equals that which was found last. All that overlaps is at
/// distance 0: so the search goes down to the leaves there, instead of opening all nodes of a level.
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
        other.lower.total_cmp(&self.lower).then(self.serial.cmp(&other.serial))
    }
}
