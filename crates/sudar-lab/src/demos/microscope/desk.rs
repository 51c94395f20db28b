//! The pair under the microscope and all that is known of it, computed when something has changed.

use std::sync::Arc;

use sudar::motion::Motion;
use sudar::{Mesh, Pose};
use sudar_view::Geometry;

use super::answers::{self, Answers};
use super::difference;
use super::features::{self, Walk};
use super::line::Loaded;
use super::model::{self, FILE, Model};
use super::settings::Settings;
use super::stand::Stand;
use super::trees::{self, Trees};
use crate::demo::DemoError;

/// A mesh drawn in two: triangles that meet the other body, and the rest.
#[derive(Debug, Clone)]
pub struct Marked {
    pub rest: Arc<Geometry>,
    pub meeting: Arc<Geometry>,
}

/// The pair, and what is known of it.
#[derive(Debug)]
pub struct Desk {
    models: [Model; 2],
    /// The names by which they were chosen.
    taken: [&'static str; 2],
    /// What was dropped or loaded.
    files: [Option<Model>; 2],
    /// Poses of a loaded line to the bit, as long as the bodies stand so.
    exact: Option<[(Stand, Pose); 2]>,
    asked: Option<Settings>,
    pub poses: [Pose; 2],
    pub way: Motion,
    pub answers: Answers,
    pub marked: [Option<Marked>; 2],
    pub trees: Option<Trees>,
    pub difference: Option<difference::Shown>,
    /// The walk of Lin and Canny.
    pub features: Option<Walk>,
    /// Why something is not shown.
    pub problem: Option<String>,
}

impl Desk {
    /// With the models of the settings.
    ///
    /// # Errors
    /// [`DemoError`] if a model cannot be made.
    pub fn new(settings: &Settings) -> Result<Self, DemoError> {
        let [a, b] = settings.models.map(model::built_in);
        let mut made = Self {
            models: [a?, b?],
            taken: settings.models,
            files: [None, None],
            exact: None,
            asked: None,
            poses: [Pose::IDENTITY; 2],
            way: Motion::still(&Pose::IDENTITY),
            answers: Answers::default(),
            marked: [None, None],
            trees: None,
            difference: None,
            features: None,
            problem: None,
        };
        made.refresh(settings);
        Ok(made)
    }

    /// The models.
    pub fn models(&self) -> [&Model; 2] {
        [&self.models[0], &self.models[1]]
    }

    /// Puts a dropped model under the microscope.
    pub fn put(&mut self, side: usize, model: Model) {
        self.files[side] = Some(model);
        (self.exact, self.asked) = (None, None);
    }

    /// Puts what a line says there.
    pub fn load(&mut self, loaded: Loaded, settings: &mut Settings) {
        let [a, b] = loaded.models;
        self.files = [Some(a), Some(b)];
        settings.models = [FILE; 2];
        settings.stands = loaded.stands.map(|(stand, _)| stand);
        settings.end = loaded.end.unwrap_or(settings.stands[1]);
        (settings.along, settings.query) = (0.0, loaded.query);
        let far = [settings.stands[0].at, settings.stands[1].at, settings.end.at];
        let far = far.iter().map(|at| at.abs().max_element()).fold(10.0, f64::max);
        settings.span = libm::pow(10.0, libm::ceil(libm::log10(far)));
        self.exact = Some(loaded.stands);
        self.asked = None;
    }

    /// Computes what the settings ask and what has changed.
    pub fn refresh(&mut self, settings: &Settings) {
        let before = self.asked.replace(settings.clone());
        if before.as_ref() == Some(settings) {
            return;
        }
        let changed = |of: &dyn Fn(&Settings, &Settings) -> bool| {
            before.as_ref().is_none_or(|before| !of(before, settings))
        };
        let is_moved =
            changed(&|a, b| (a.models, a.stands, a.end, a.along) == (b.models, b.stands, b.end, b.along));
        if is_moved {
            self.problem = None;
            self.take_models(settings);
            self.stand(settings);
        }
        if is_moved || changed(&|a, b| a.shown == b.shown) {
            self.answers =
                answers::ask(self.models(), [&self.poses[0], &self.poses[1]], &self.way, &settings.shown);
            self.marked = [0, 1].map(|side| self.mark(side));
        }
        if is_moved || changed(&|a, b| (a.system, a.walks) == (b.system, b.walks)) {
            self.grow(settings);
        }
        if is_moved || changed(&|a, b| (a.difference, a.method) == (b.difference, b.method)) {
            let show = || difference::show(settings.method, self.models(), [&self.poses[0], &self.poses[1]]);
            self.difference = if settings.difference { show() } else { None };
        }
        if is_moved || changed(&|a, b| a.features == b.features) {
            let walk = || features::walk(self.models(), [&self.poses[0], &self.poses[1]]);
            self.features = if settings.features { walk() } else { None };
        }
    }

    fn take_models(&mut self, settings: &Settings) {
        for side in 0..2 {
            let name = settings.models[side];
            let found = if name == FILE {
                let none = || {
                    DemoError(
                        "drop a file first: OBJ, STL, PLY, OFF, glTF, VRML, COLLADA or .jsonl".to_owned(),
                    )
                };
                self.files[side].clone().ok_or_else(none)
            } else if self.taken[side] == name {
                continue;
            } else {
                model::built_in(name)
            };
            match found {
                Ok(model) => (self.models[side], self.taken[side]) = (model, name),
                Err(error) => self.problem = Some(error.0),
            }
        }
    }

    fn stand(&mut self, settings: &Settings) {
        let pose = |side: usize| {
            let stand = settings.stands[side];
            let exact = self.exact.map(|exact| exact[side]).filter(|(known, _)| *known == stand);
            exact.map_or_else(|| stand.pose(), |(_, pose)| pose)
        };
        let [a, start] = [pose(0), pose(1)];
        self.way = Motion::between(&start, &settings.end.pose());
        let now = if settings.along > 0.0 { self.way.at(settings.along) } else { start };
        self.poses = [a, now];
    }

    /// The mesh in two, if any of its triangles meets the other body.
    fn mark(&self, side: usize) -> Option<Marked> {
        let triangles = self.answers.contacts.as_ref().map(|contacts| contacts.of(side))?;
        let mesh = self.models[side].body.mesh()?;
        let mut meets = vec![false; mesh.triangles().len()];
        for triangle in &triangles {
            if let Some(meets) = meets.get_mut(*triangle as usize) {
                *meets = true;
            }
        }
        (!triangles.is_empty()).then(|| parted(mesh, &meets))
    }

    /// The trees of the system that is chosen, and its search.
    fn grow(&mut self, settings: &Settings) {
        if settings.system == trees::NONE {
            self.trees = None;
            return;
        }
        let models = [&self.models[0], &self.models[1]];
        if !self.trees.as_ref().is_some_and(|trees| trees.fits(settings.system, models)) {
            match Trees::new(settings.system, models) {
                Ok(trees) => self.trees = Some(trees),
                Err(error) => (self.trees, self.problem) = (None, Some(error.0)),
            }
        }
        if let Some(trees) = self.trees.as_mut().filter(|_| settings.walks) {
            trees.search([&self.poses[0], &self.poses[1]]);
        }
    }
}

fn parted(mesh: &Mesh, meets: &[bool]) -> Marked {
    let of = |wanted: bool| -> Vec<[u32; 3]> {
        let all = mesh.triangles().iter().zip(meets);
        all.filter(|(_, meets)| **meets == wanted).map(|(triangle, _)| *triangle).collect()
    };
    let geometry = |wanted| Geometry::of_triangles(mesh.vertices(), &of(wanted));
    Marked { rest: geometry(false), meeting: geometry(true) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::microscope::line;

    #[test]
    fn what_changes_is_computed_anew_and_nothing_else() {
        let mut settings = Settings { system: "solid", walks: true, ..Settings::default() };
        let mut desk = Desk::new(&settings).unwrap();
        let apart = desk.answers.distance.unwrap();
        assert!(apart.interval.lower > 0.0 && desk.marked[0].is_none());
        let visits = desk.trees.as_ref().unwrap().visits().len();
        settings.visit = 7;
        desk.refresh(&settings);
        assert_eq!(desk.answers.distance, Some(apart));
        // At its end b is in a: triangles meet, and the search is longer.
        settings.along = 1.0;
        desk.refresh(&settings);
        assert_eq!(desk.answers.distance.unwrap().interval.upper, 0.0);
        assert!(desk.marked[0].as_ref().is_some_and(|marked| !marked.meeting.is_empty()));
        assert!(desk.trees.as_ref().unwrap().visits().len() > visits);
        settings.system = trees::NONE;
        settings.difference = true;
        desk.refresh(&settings);
        assert!(desk.trees.is_none() && desk.difference.is_some());
    }

    #[test]
    fn a_file_that_is_not_there_is_a_problem_and_the_model_stays() {
        let mut settings = Settings::default();
        let mut desk = Desk::new(&settings).unwrap();
        settings.models[1] = FILE;
        desk.refresh(&settings);
        assert!(desk.problem.is_some() && desk.models()[1].name == "gear");
        desk.put(1, model::built_in("ball").unwrap());
        desk.refresh(&settings);
        assert!(desk.problem.is_none() && desk.models()[1].name == "ball");
    }

    /// A line that is written, loaded and written again is the same line.
    #[test]
    fn loaded_lines_stay_as_they_are_to_the_bit() {
        let mut settings = Settings { models: ["hull", "capsule"], ..Settings::default() };
        let mut desk = Desk::new(&settings).unwrap();
        let text = |desk: &Desk, settings: &Settings| {
            let poses = [&desk.poses[0], &desk.poses[1]];
            line::write(settings.query, desk.models(), poses, &settings.end.pose(), 0.5).unwrap()
        };
        let first = text(&desk, &settings);
        desk.load(line::read(&first).unwrap(), &mut settings);
        desk.refresh(&settings);
        assert_eq!(text(&desk, &settings), first);
        assert!(desk.problem.is_none());
    }
}
