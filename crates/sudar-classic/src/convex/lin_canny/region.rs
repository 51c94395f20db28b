//! Voronoi regions of features, to be drawn and to be tested against.

use sudar::glam::DVec3;

use super::{Feature, FeatureMap};

/// The Voronoi region of a feature: all points outside that are nearer to it than to any other. It begins at the
/// corners of the feature and widens along the normals of the faces around it.
#[derive(Debug, Clone, PartialEq)]
pub struct VoronoiRegion {
    /// Its edges in order around it: where each begins, and its direction of length 1. Between two that follow each
    /// other lies a plane of the region. In the frame of the body.
    pub rays: Vec<[DVec3; 2]>,
}

impl VoronoiRegion {
    /// The region of a feature that the map has; `center`: that of the body ([`Convex::center`]).
    ///
    /// [`Convex::center`]: sudar::convex::Convex::center
    pub fn of(map: &FeatureMap, feature: Feature, center: DVec3) -> Self {
        let at = |v: u32| map.vertices[v as usize] + center;
        let normal = |edge: u32| map.faces[map.face_of(edge) as usize].normal;
        let rays = match feature {
            Feature::Vertex(v) => around(map, v).into_iter().map(|edge| [at(v), normal(edge)]).collect(),
            Feature::Edge(e) => {
                let ([from, to], twin) = (map.ends(e).map(at), map.twin(e));
                vec![[from, normal(e)], [to, normal(e)], [to, normal(twin)], [from, normal(twin)]]
            }
            Feature::Face(f) => map.ring(f).map(|edge| [at(map.ends(edge)[0]), normal(edge)]).collect(),
        };
        Self { rays }
    }

    /// Whether a point is on the inner side of every plane of the region, give or take `slack` metres.
    pub fn holds(&self, point: DVec3, slack: f64) -> bool {
        let count = self.rays.len();
        let middle = self.rays.iter().fold(DVec3::ZERO, |sum, [at, way]| sum + *at + *way) / count as f64;
        (0..count).all(|i| {
            let ([from, way], [to, next]) = (self.rays[i], self.rays[(i + 1) % count]);
            // Two edges of a region with one end span its plane; of parallel ones the ends do.
            let across = if from == to { way.cross(next) } else { way.cross(to - from) };
            let normal = across.normalize_or_zero();
            let inward = if normal.dot(middle - from) < 0.0 { -normal } else { normal };
            inward.dot(point - from) >= -slack
        })
    }
}

/// The half-edges that leave a vertex, in order around it.
fn around(map: &FeatureMap, vertex: u32) -> Vec<u32> {
    let Some(&first) = map.fan(vertex).first() else { return Vec::new() };
    let mut edges = vec![first];
    // From an edge over its twin to the next one around the vertex.
    let mut edge = map.hull().half_edges()[map.twin(first) as usize].next;
    while edge != first && edges.len() < map.fan(vertex).len() {
        edges.push(edge);
        edge = map.hull().half_edges()[map.twin(edge) as usize].next;
    }
    edges
}

#[cfg(test)]
mod tests {
    use sudar::convex::Convex;
    use sudar::hull::convex_hull;
    use sudar::pair::{closest_point_segment, closest_point_triangle};
    use sudar::{Segment, Shape, Triangle};
    use sudar_testing::Random;

    use super::*;

    /// The distance of a feature of a hull from a point, by all of its triangles, edges and corners.
    fn distance(map: &FeatureMap, feature: Feature, p: DVec3) -> f64 {
        let hull = map.hull();
        let at = |v: u32| hull.vertices()[v as usize];
        match feature {
            Feature::Vertex(v) => p.distance(at(v)),
            Feature::Edge(e) => {
                let [a, b] = map.ends(e).map(at);
                closest_point_segment(p, &Segment { a, b }).distance()
            }
            Feature::Face(f) => {
                let fan = hull.fan(f as usize);
                let to = |[a, b, c]: [u32; 3]| {
                    closest_point_triangle(p, &Triangle::from([at(a), at(b), at(c)])).distance()
                };
                fan.map(to).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// A point outside is in the region of a feature if and only if that is nearest to it, by brute force.
    #[test]
    fn the_region_that_holds_a_point_is_that_of_the_nearest_feature() {
        let mut random = Random::new(3);
        let points: Vec<DVec3> = (0..14).map(|_| random.direction()).collect();
        let hull = convex_hull(&points).unwrap();
        let convex = Convex::of(&Shape::Hull(hull.clone().into())).unwrap();
        let map = FeatureMap::of(&convex).unwrap();
        let vertices = (0..hull.vertices().len() as u32).map(Feature::Vertex);
        let edges = (0..hull.half_edges().len() as u32).filter(|e| *e < map.twin(*e)).map(Feature::Edge);
        let faces = (0..hull.faces().len() as u32).map(Feature::Face);
        let all: Vec<Feature> = vertices.chain(edges).chain(faces).collect();
        let mut kinds = [0; 3];
        for _ in 0..2000 {
            let p = random.direction() * 1.8;
            let holding: Vec<&Feature> = all
                .iter()
                .filter(|feature| VoronoiRegion::of(&map, **feature, convex.center()).holds(p, 0.0))
                .filter(|feature| outside(&map, **feature, p, convex.center()))
                .collect();
            // Regions part the space outside.
            assert_eq!(holding.len(), 1, "{p} {holding:?}");
            let least = all.iter().map(|feature| distance(&map, *feature, p)).fold(f64::INFINITY, f64::min);
            assert!(distance(&map, *holding[0], p) <= least + 1e-12);
            kinds[match holding[0] {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face(_) => 2,
            }] += 1;
        }
        assert!(kinds.iter().all(|count| *count > 50), "{kinds:?}");
    }

    /// On the outer side of the feature: the planes of its region meet on the other side as well.
    fn outside(map: &FeatureMap, feature: Feature, p: DVec3, center: DVec3) -> bool {
        let region = VoronoiRegion::of(map, feature, center);
        let out = region.rays.iter().fold(DVec3::ZERO, |sum, [_, way]| sum + *way);
        (p - region.rays[0][0]).dot(out) > 0.0
    }
}
