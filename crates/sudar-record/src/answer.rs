//! Answers as they are written down.

use serde::{Deserialize, Serialize};
use sudar::DVec3;
use sudar::query::{DistanceEnd, StopReason};
use sudar::shape::{Aabb, Sphere};

/// Answer to a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// To `contacts`.
    Contacts {
        /// Whether the shapes have a common point; `None` if the budget ended before one was found. True with no pairs:
        /// one solid lies inside the other.
        intersects: Option<bool>,
        /// The budget, if that was used up before all pairs were found.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
        /// How many pairs of triangles intersect; how many were found, if not all.
        count: usize,
        /// The first of these, sorted.
        pairs: Vec<[u32; 2]>,
    },
    /// To `intersects`.
    Intersects {
        /// Whether the shapes have a common point; `None` if that could not be decided.
        intersects: Option<bool>,
        /// Why it could not be decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
        /// One pair of features that meet.
        #[serde(skip_serializing_if = "Option::is_none")]
        features: Option<[u32; 2]>,
    },
    /// To `ray`.
    Ray {
        /// Whether the ray meets the shape; `None` if the budget ended before a hit was found.
        hit: Option<bool>,
        /// Where on the ray, in units of the direction's length.
        #[serde(skip_serializing_if = "Option::is_none")]
        t: Option<f64>,
        /// Where in the world.
        #[serde(skip_serializing_if = "Option::is_none")]
        point: Option<DVec3>,
        /// Normal of the surface there.
        #[serde(skip_serializing_if = "Option::is_none")]
        normal: Option<DVec3>,
        /// The feature hit.
        #[serde(skip_serializing_if = "Option::is_none")]
        feature: Option<u32>,
        /// If the budget ended before it was certain which hit is the first: it is not beyond this.
        #[serde(skip_serializing_if = "Option::is_none")]
        t_upper: Option<f64>,
        /// The budget, if that was used up before the first hit was certain.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
    },
    /// To `sweep`, `ccd_vertex_face` and `ccd_edge_edge`; those of only a yes or no read back as one to `ray`.
    FirstContact(FirstContactAnswer),
    /// To `closest_point`.
    ClosestPoint {
        /// How far away it is.
        distance: f64,
        /// The closest point; if the budget ended the search, the closest one found.
        point: DVec3,
        /// The feature it lies on.
        feature: u32,
        /// If the budget ended the search: no point of the shape is nearer than this.
        #[serde(skip_serializing_if = "Option::is_none")]
        lower: Option<f64>,
        /// The budget, if that ended the search.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<StopReason>,
    },
    /// To `contains`.
    Contains {
        /// Whether the point is inside or on the surface; `None` if that could not be decided.
        inside: Option<bool>,
        /// Why it could not be decided: the budget, or precision where the winding number is ½ up to rounding.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
        /// The method, if the query names one.
        #[serde(skip_serializing_if = "Option::is_none")]
        method: Option<InsideMethod>,
        /// Interval of the winding number, if that is the method: inside is where it is above ½.
        #[serde(skip_serializing_if = "Option::is_none")]
        winding: Option<[f64; 2]>,
    },
    /// To `mass`, at density 1.
    Mass {
        /// The volume; below zero if the surface faces inward.
        volume: f64,
        /// No more than the volume; by voxels, less the estimated error.
        volume_lower: f64,
        /// No less than the volume; by voxels, with the estimated error.
        volume_upper: f64,
        /// The centre of mass in the world.
        center: DVec3,
        /// The inertia tensor about the centre: xx, yy, zz, xy, yz, zx, of which the last three are −∫xy and so on.
        inertia: [f64; 6],
        /// Whether every part is closed.
        closed: bool,
        /// How many rays crossed an open mesh an odd number of times; they are weighed by winding numbers, as are
        /// all others there.
        dropped_rays: u64,
    },
    /// To `hull`.
    Hull {
        /// 3 for a polyhedron, 2 for a polygon, 1 for a segment, 0 for a point, −1 if there are no points.
        dimension: i8,
        /// Indices of the extreme points, the first of equals, ascending.
        vertices: Vec<u32>,
        /// Indices of the points around each face, counter-clockwise seen from outside; a polygon has two faces.
        faces: Vec<Vec<u32>>,
        /// The volume, rounded.
        volume: f64,
        /// The area of all faces, rounded.
        area: f64,
    },
    /// To `bounds`.
    Bounds(Box<BoundsAnswer>),
    /// To `pairs`.
    Pairs {
        /// How many pairs of boxes have a point in common.
        count: u64,
        /// The pairs, sorted, if they were to be listed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pairs: Option<Vec<[u32; 2]>>,
        /// Name of the algorithm that was used.
        algorithm: String,
    },
    /// To `within`.
    Within {
        /// Whether the distance is at most the tolerance; `None` if that could not be decided.
        within: Option<bool>,
        /// Why it could not be decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
        /// What shows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        witness: Option<Witness>,
    },
    /// To `local_minima`.
    LocalMinima {
        /// Sorted by distance.
        minima: Vec<MinimumAnswer>,
        /// The budget, if that was used up before all were found.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
    },
    /// To `distance`.
    Distance {
        /// The distance is no less than this.
        lower: f64,
        /// The distance is no more than this.
        upper: f64,
        /// The nearest point of the first shape.
        point_a: DVec3,
        /// The nearest point of the second shape.
        point_b: DVec3,
        /// The features these lie on.
        features: [u32; 2],
        /// How narrow the interval became, and why no narrower.
        status: DistanceEnd,
    },
    /// To `penetration`.
    Penetration {
        /// The distance if above 0, minus the depth if below, is no less than this; `None` if no translation separates.
        signed_lower: Option<f64>,
        /// It is no more than this.
        signed_upper: Option<f64>,
        /// Unit direction from the first shape to the second.
        normal: DVec3,
        /// The nearest or deepest point of the first shape.
        point_a: DVec3,
        /// The nearest or deepest point of the second shape.
        point_b: DVec3,
        /// How narrow the interval became, and why no narrower.
        status: DistanceEnd,
    },
    /// To `manifold`.
    Manifold {
        /// At most four a region.
        contacts: Vec<ContactAnswer>,
        /// The budget, if that was used up before all were found.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<StopReason>,
    },
}

/// Answer to `sweep`, `ccd_vertex_face` and `ccd_edge_edge`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstContactAnswer {
    /// Whether the things come into contact; `None` if that could not be decided.
    pub hit: Option<bool>,
    /// There is certainly no contact before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_lower: Option<f64>,
    /// A time at which they are in contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_upper: Option<f64>,
    /// Where the first shape is touched at `t_lower`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_a: Option<DVec3>,
    /// Where the second shape is touched then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_b: Option<DVec3>,
    /// Unit direction from the first shape to the second there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<DVec3>,
    /// The features that touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<[u32; 2]>,
    /// Why it could not be decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<StopReason>,
}

/// Answer to `bounds`: each volume contains every point exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundsAnswer {
    /// The box along the axes.
    pub aabb: Aabb,
    /// The smallest sphere.
    pub sphere: Sphere,
    /// The tightest oriented box that is found.
    pub obb: ObbAnswer,
    /// The volumes of the k-DOPs.
    pub kdop: KdopVolumes,
}

/// An oriented box: the points `center + Σ uᵢ·axesᵢ` with `|uᵢ| ≤ halfᵢ`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObbAnswer {
    /// Its centre.
    pub center: DVec3,
    /// Unit directions of its edges.
    pub axes: [DVec3; 3],
    /// Half the lengths of its edges.
    pub half: DVec3,
}

/// Volumes of k-DOPs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KdopVolumes {
    /// Of the box along the axes.
    #[serde(rename = "6")]
    pub six: f64,
    /// With the corners cut off.
    #[serde(rename = "14")]
    pub fourteen: f64,
    /// With the edges cut off.
    #[serde(rename = "18")]
    pub eighteen: f64,
    /// With both cut off.
    #[serde(rename = "26")]
    pub twenty_six: f64,
}

/// Method by which `contains` decides between inside and outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsideMethod {
    /// Exactly; an error for a shape without an inside.
    Exact,
    /// Exactly where the shape has an inside; by the winding number of its triangles where it has none, such
    /// as an open mesh.
    Winding,
}

/// What shows that two shapes are near or far from each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Witness {
    /// Two points no farther apart than the tolerance.
    Points {
        /// Of the first shape.
        point_a: DVec3,
        /// Of the second shape.
        point_b: DVec3,
    },
    /// The plane n·x = d with the first shape on n·x ≤ d, and the second beyond it by more than the tolerance.
    Plane {
        /// nx, ny, nz, d.
        plane: [f64; 4],
    },
}

/// A place where two shapes are nearer to each other than around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimumAnswer {
    /// The distance there; 0 if the shapes meet there.
    pub distance: f64,
    /// The point of the first shape.
    pub point_a: DVec3,
    /// The point of the second shape.
    pub point_b: DVec3,
    /// The features these lie on.
    pub features: [u32; 2],
}

/// One contact of a manifold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactAnswer {
    /// The point of the first shape.
    pub point_a: DVec3,
    /// The point of the second shape.
    pub point_b: DVec3,
    /// Unit direction from the first shape to the second.
    pub normal: DVec3,
    /// How deep the points are in the other shape; negative if they are apart.
    pub depth: f64,
}

/// What became of a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    /// It was answered.
    Answer(Answer),
    /// It was not.
    Error {
        /// What is wrong and where.
        error: String,
    },
}

/// One line of an answer file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerLine {
    /// Name of the query line.
    pub id: Option<String>,
    /// The answer or the error.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Nanoseconds that the query took, if it was timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ns: Option<u64>,
}

impl AnswerLine {
    /// The line, without a line ending.
    ///
    /// # Errors
    /// None for answers of this library; the signature is that of the JSON writer.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads a line back.
    ///
    /// # Errors
    /// The parser's, if the line is no answer.
    pub fn parse(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_reads_back() {
        let lines = [
            r#"{"id":null,"intersects":true,"features":[1,2]}"#,
            r#"{"id":"q","intersects":null,"undecided":"precision"}"#,
            r#"{"id":"q","intersects":true,"count":2,"pairs":[[0,1]],"ns":17}"#,
            r#"{"id":"q","intersects":null,"undecided":"budget","count":0,"pairs":[]}"#,
            r#"{"id":"q","within":null,"undecided":"budget"}"#,
            r#"{"id":"q","within":true,"witness":{"point_a":[0.0,0.0,0.0],"point_b":[0.0,0.0,0.5]}}"#,
            r#"{"id":"q","within":false,"witness":{"plane":[0.0,0.0,1.0,-0.5]}}"#,
            r#"{"id":"q","minima":[{"distance":0.5,"point_a":[0.0,0.0,0.0],"point_b":[0.0,0.0,0.5],"features":[0,7]}]}"#,
            r#"{"id":"q","minima":[],"undecided":"budget"}"#,
            r#"{"id":"q","hit":false}"#,
            r#"{"id":"q","hit":true,"t":0.1,"point":[0.0,0.0,0.30000000000000004],"normal":[0.0,0.0,1.0],"feature":0}"#,
            r#"{"id":"q","hit":true,"t_lower":0.25,"t_upper":0.5}"#,
            r#"{"id":"q","hit":true,"t_lower":0.25,"t_upper":0.5,"point_a":[0.0,0.0,0.0],"point_b":[0.0,0.0,0.0],"normal":[0.0,0.0,1.0],"features":[0,7]}"#,
            r#"{"id":"q","hit":null,"t_lower":0.25,"undecided":"budget"}"#,
            r#"{"id":"q","distance":5e-324,"point":[0.0,0.0,0.0],"feature":3}"#,
            r#"{"id":"q","inside":false}"#,
            r#"{"id":"q","inside":null,"undecided":"budget"}"#,
            r#"{"id":"q","inside":true,"method":"winding","winding":[0.75,0.8125]}"#,
            r#"{"id":"q","hit":null,"undecided":"budget"}"#,
            r#"{"id":"q","hit":true,"t_upper":0.1,"undecided":"budget"}"#,
            r#"{"id":"q","distance":0.5,"point":[0.0,0.0,0.0],"feature":3,"lower":0.25,"status":"budget"}"#,
            r#"{"id":"q","contacts":[],"undecided":"budget"}"#,
            r#"{"id":"q","lower":0.5,"upper":1.0,"point_a":[0.0,0.0,0.0],"point_b":[0.0,0.0,1.0],"features":[0,7],"status":"beyond_max"}"#,
            r#"{"id":"q","signed_lower":null,"signed_upper":null,"normal":[0.0,0.0,1.0],"point_a":[0.0,0.0,0.0],"point_b":[0.0,0.0,0.0],"status":"exact"}"#,
            r#"{"id":"q","contacts":[{"point_a":[0.0,0.0,0.0],"point_b":[0.0,0.0,-1.0],"normal":[0.0,0.0,1.0],"depth":1.0}]}"#,
            r#"{"id":"q","dimension":-1,"vertices":[],"faces":[],"volume":0.0,"area":0.0}"#,
            r#"{"id":"q","dimension":2,"vertices":[0,1,3],"faces":[[0,1,3],[0,3,1]],"volume":0.0,"area":1.0}"#,
            r#"{"id":"q","aabb":{"min":[0.0,0.0,0.0],"max":[1.0,1.0,0.0]},"sphere":{"center":[0.5,0.5,0.0],"radius":0.75},"obb":{"center":[0.5,0.5,0.0],"axes":[[1.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,1.0]],"half":[0.5,0.5,0.0]},"kdop":{"6":0.0,"14":0.0,"18":0.0,"26":0.0}}"#,
            r#"{"id":"q","count":1,"pairs":[[0,1]],"algorithm":"strips"}"#,
            r#"{"id":"q","count":7,"algorithm":"octree-dup"}"#,
            r#"{"id":"q","error":"the line is not valid UTF-8 (at byte 1)"}"#,
        ];
        for line in lines {
            let answer = AnswerLine::parse(line).unwrap();
            assert_eq!(answer.to_json().unwrap(), line);
        }
        assert!(AnswerLine::parse(r#"{"id":"q","maybe":1}"#).is_err());
    }
}
