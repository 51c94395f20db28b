//! What can be chosen.

use sudar::DVec3;

use super::answers::Shown;
use super::stand::Stand;
use super::{difference, line, model, trees};
use crate::options::{Visit, field};

/// Whose handles are shown.
pub const HANDLES: [&str; 4] = ["none", "a", "b", "end"];

/// Everything that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub models: [&'static str; 2],
    pub opacity: f64,
    pub shown: Shown,
    /// How far b is on its way, 0 to 1.
    pub along: f64,
    pub is_playing: bool,
    pub system: &'static str,
    pub level: u32,
    pub walks: bool,
    pub visit: u32,
    pub is_auto: bool,
    pub difference: bool,
    pub method: &'static str,
    pub round: u32,
    /// Whether the walk of Lin and Canny is shown, and which of its pairs.
    pub features: bool,
    pub pair: u32,
    pub handle: &'static str,
    pub stands: [Stand; 2],
    /// Where b is at the end of its way.
    pub end: Stand,
    pub query: &'static str,
    /// How far from the origin sliders go.
    pub span: f64,
}

impl Default for Settings {
    fn default() -> Self {
        let shown = Shown {
            first: false,
            contacts: true,
            distance: true,
            minima: false,
            plane: true,
            manifold: false,
            penetration: false,
            impact: true,
            reach: 0.5,
        };
        Self {
            models: ["hare", "gear"],
            opacity: 1.0,
            shown,
            along: 0.0,
            is_playing: false,
            system: trees::NONE,
            level: 3,
            walks: false,
            visit: 1,
            is_auto: false,
            difference: false,
            method: difference::METHODS[0],
            round: 1,
            features: false,
            pair: 1,
            handle: "b",
            stands: [
                Stand::default(),
                Stand { turn: DVec3::new(0.5, 0.4, 0.0), ..Stand::new(2.1, -0.3, 0.6) },
            ],
            end: Stand { turn: DVec3::new(1.4, 0.4, 0.6), ..Stand::new(-0.2, 0.2, 0.3) },
            query: line::QUERIES[0],
            span: 10.0,
        }
    }
}

const PLACES: [[&str; 6]; 3] = [
    ["a-x", "a-y", "a-z", "a-turn-x", "a-turn-y", "a-turn-z"],
    ["b-x", "b-y", "b-z", "b-turn-x", "b-turn-y", "b-turn-z"],
    ["end-x", "end-y", "end-z", "end-turn-x", "end-turn-y", "end-turn-z"],
];

impl Settings {
    /// Shows all of it.
    pub fn visit(&mut self, visit: &mut dyn Visit) {
        visit.choice(
            field("model-a", "The first body, or the file dropped first"),
            &mut self.models[0],
            &model::NAMES,
        );
        visit.choice(
            field("model-b", "The second body, or the file dropped second"),
            &mut self.models[1],
            &model::NAMES,
        );
        visit.number(
            field("opacity", "Of both bodies: see through to the curve"),
            &mut self.opacity,
            0.15..=1.0,
        );
        self.visit_questions(visit);
        visit.heading("Way of b");
        visit.number(field("along", "How far b is on its way to its end"), &mut self.along, 0.0..=1.0);
        visit.switch(field("play", "b goes to its end and back"), &mut self.is_playing);
        self.visit_trees(visit);
        visit.heading("Difference A - B");
        visit.switch(
            field("difference", "The difference of the convex hulls around the origin: D"),
            &mut self.difference,
        );
        visit.choice(field("method", "What walks in it"), &mut self.method, &difference::METHODS);
        visit.count(
            field("round", "The round of the method that is shown: K and J"),
            &mut self.round,
            1..=60,
        );
        visit.heading("Lin and Canny's walk");
        visit.switch(
            field("features", "The walk from feature to feature of the hulls, with their Voronoi regions: F"),
            &mut self.features,
        );
        visit.count(field("pair", "The pair of features that is shown: X and Z"), &mut self.pair, 1..=200);
        self.visit_places(visit);
        visit.heading("Line of replay");
        visit.choice(
            field("query", "The question of the line that is copied"),
            &mut self.query,
            &line::QUERIES,
        );
    }

    fn visit_questions(&mut self, visit: &mut dyn Visit) {
        visit.heading("What is shown");
        let shown = &mut self.shown;
        visit.switch(
            field("first-hit", "Whether they meet, and one pair of triangles that does: 1"),
            &mut shown.first,
        );
        visit.switch(field("contacts", "All triangles that meet, and the curve: 2"), &mut shown.contacts);
        visit.switch(
            field("distance", "The distance, as an interval, and two nearest points: 3"),
            &mut shown.distance,
        );
        visit.switch(field("minima", "Every place where they come near each other: 4"), &mut shown.minima);
        visit.switch(field("plane", "A plane that separates the convex hulls: 5"), &mut shown.plane);
        visit.switch(field("manifold", "Contact points with normals and depths: 6"), &mut shown.manifold);
        visit.switch(field("penetration", "How deep they are in each other: 7"), &mut shown.penetration);
        visit.switch(field("impact", "When b, on its way, first meets a: 8"), &mut shown.impact);
        visit.number(field("reach", "How far minima and manifold look, in m"), &mut shown.reach, 0.0..=2.0);
    }

    fn visit_trees(&mut self, visit: &mut dyn Visit) {
        visit.heading("Trees");
        visit.choice(field("system", "Whose bounding volumes are drawn"), &mut self.system, &trees::NAMES);
        visit.count(field("level", "The level of the trees; 0 is the root"), &mut self.level, 0..=24);
        visit.switch(
            field("walk", "Go through a search of the system, pair by pair of nodes"),
            &mut self.walks,
        );
        visit.count(
            field("visit", "The pair of nodes that is visited: N and B"),
            &mut self.visit,
            1..=200_000,
        );
        visit.switch(field("auto", "Go on by itself"), &mut self.is_auto);
    }

    fn visit_places(&mut self, visit: &mut dyn Visit) {
        visit.heading("Places");
        visit.choice(field("handle", "Whose handles are shown: Tab"), &mut self.handle, &HANDLES);
        let span = self.span;
        let [a, b] = &mut self.stands;
        for (names, stand) in PLACES.into_iter().zip([a, b, &mut self.end]) {
            let about = ["Place in m", "Turn in radians, about an axis as long"];
            for (k, value) in [&mut stand.at.x, &mut stand.at.y, &mut stand.at.z].into_iter().enumerate() {
                visit.number(field(names[k], about[0]), value, -span..=span);
            }
            for (k, value) in
                [&mut stand.turn.x, &mut stand.turn.y, &mut stand.turn.z].into_iter().enumerate()
            {
                visit.number(field(names[3 + k], about[1]), value, -3.2..=3.2);
            }
        }
    }

    /// The stand that the handles move.
    pub fn handled(&mut self) -> Option<&mut Stand> {
        match self.handle {
            "a" => Some(&mut self.stands[0]),
            "b" => Some(&mut self.stands[1]),
            "end" => Some(&mut self.end),
            _ => None,
        }
    }

    /// The switches of what is shown, as the keys 1 to 8 have them.
    pub fn switches(&mut self) -> [&mut bool; 8] {
        let s = &mut self.shown;
        [
            &mut s.first,
            &mut s.contacts,
            &mut s.distance,
            &mut s.minima,
            &mut s.plane,
            &mut s.manifold,
            &mut s.penetration,
            &mut s.impact,
        ]
    }
}
