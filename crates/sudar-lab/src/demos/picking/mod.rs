//! Rays and views (Pandžić's lecture): picking, culling, hierarchies, and a car that is steered by rays.

mod drive;
mod field;
mod hierarchy;
mod shelf;

use egui::Key;
use sudar::{DVec3, Ray};
use sudar_view::{Color, Orbit, Scene};

use crate::demo::{Demo, DemoError, Entry, Task};
use crate::demos::orbit;
use crate::input::Input;
use crate::options::{Visit, field as option};
use drive::Drive;
use field::{Field, TESTS};
use hierarchy::{BUILDS, GOALS, Hierarchy};
use shelf::{Cast, FORMS, Shelf};

pub const ENTRY: Entry = Entry {
    name: "picking",
    title: "Rays and views",
    about: "Which body does a ray meet first, what does a camera see, and how does a car steer by rays? Each test is counted.",
    source: "{Pandžić}",
    make: || Box::new(Picking::new()),
    picture_at: 1.0,
};

/// What is shown, by name.
const PLAYS: [&str; 4] = ["pick", "cull", "hierarchy", "car"];

#[derive(Debug, Clone, PartialEq)]
struct Settings {
    play: &'static str,
    form: &'static str,
    test: &'static str,
    objects: u32,
    build: &'static str,
    goal: &'static str,
    rays: u32,
}

struct Picking {
    settings: Settings,
    applied: Settings,
    play: Play,
    orbit: Orbit,
    /// The ray, and whether it stays where it is.
    ray: Ray,
    is_kept: bool,
    cast: Cast,
    /// Planes that spheres and octants took, to compare.
    planes: [Option<u64>; 2],
    time: f64,
    problem: Option<String>,
}

enum Play {
    Nothing,
    Pick(Shelf),
    Cull(Box<Field>),
    Hierarchy(Box<Hierarchy>),
    Car(Drive),
}

impl Picking {
    fn new() -> Self {
        let settings = Settings {
            play: PLAYS[0],
            form: FORMS[1],
            test: TESTS[1],
            objects: 400,
            build: BUILDS[0],
            goal: GOALS[0].0,
            rays: 9,
        };
        Self {
            applied: settings.clone(),
            settings,
            play: Play::Nothing,
            orbit: Orbit::new(DVec3::ZERO, 12.0),
            ray: Ray { origin: DVec3::new(-1.0, -8.0, 1.0), direction: DVec3::Y },
            is_kept: false,
            cast: Cast::default(),
            planes: [None; 2],
            time: 0.0,
            problem: None,
        }
    }

    fn build(&mut self) -> Result<(), DemoError> {
        let Settings { play, objects, rays, .. } = self.settings;
        (self.play, self.orbit) = match play {
            "cull" => (Play::Cull(Box::new(Field::new(objects))), view(DVec3::ZERO, 34.0, 0.75)),
            "hierarchy" => {
                let hierarchy = Hierarchy::new().map_err(DemoError::of)?;
                let orbit = view(hierarchy.middle(), 4.2, 0.5);
                (Play::Hierarchy(Box::new(hierarchy)), orbit)
            }
            "car" => (Play::Car(Drive::new(rays).map_err(DemoError::of)?), view(DVec3::ZERO, 27.0, 0.85)),
            _ => {
                (Play::Pick(Shelf::new().map_err(DemoError::of)?), view(DVec3::new(0.0, 1.8, 0.3), 9.5, 0.3))
            }
        };
        (self.is_kept, self.planes) = (false, [None; 2]);
        Ok(())
    }

    fn apply(&mut self) {
        if self.settings == self.applied {
            return;
        }
        let kind = |s: &Settings| (s.play, s.objects, s.rays);
        let is_new = kind(&self.settings) != kind(&self.applied);
        self.applied = self.settings.clone();
        if is_new {
            self.problem = self.build().err().map(|error| error.0);
        }
    }

    /// The ray goes from the eye through the pointer; without one it sweeps by itself.
    fn aim(&mut self, input: &Input) {
        if self.is_kept {
            return;
        }
        let camera = self.orbit.camera();
        let (origin, way) = match input.pointer.at.filter(|_| !input.pointer.down) {
            // From a little aside, so that it is seen as a line and not as a point.
            Some(at) => {
                let [right, up] = camera.axes();
                (
                    camera.eye + (right * 0.06 - up * 0.09) * self.orbit.distance,
                    camera.toward(at, input.pointer.aspect),
                )
            }
            None => sweep(self.time, &self.orbit, if self.applied.play == PLAYS[2] { 0.3 } else { 1.0 }),
        };
        // Where the line from the eye passes the middle of what is looked at.
        let target = camera.eye + way * self.orbit.distance;
        if let Ok(ray) = Ray::new(origin, target - origin) {
            self.ray = ray;
        }
    }

    fn test(&mut self, seconds: f64) {
        let Settings { form, test, build, goal, .. } = self.applied;
        match &mut self.play {
            Play::Nothing => {}
            Play::Pick(shelf) => self.cast = shelf.cast(&self.ray, form == FORMS[1]),
            Play::Cull(field) => {
                field.step(seconds, test);
                if let Some(known) = TESTS[..2].iter().position(|name| *name == test) {
                    self.planes[known] = Some(field.planes());
                }
            }
            Play::Hierarchy(hierarchy) => hierarchy.search(&self.ray, build, goal),
            Play::Car(drive) => {
                if seconds > 0.0 {
                    drive.step(seconds);
                }
            }
        }
    }
}

fn view(target: DVec3, distance: f64, pitch: f64) -> Orbit {
    Orbit { target, distance, yaw: 0.35, pitch }
}

/// A ray that goes to and fro, more or less widely, and its direction from the eye.
fn sweep(time: f64, orbit: &Orbit, wide: f64) -> (DVec3, DVec3) {
    let camera = orbit.camera();
    let [right, up] = camera.axes();
    let aside = (right * (0.28 * libm::sin(0.7 * time)) + up * (0.1 * libm::sin(1.1 * time))) * wide;
    (camera.eye - right * (0.35 * orbit.distance), (camera.forward + aside).normalize())
}

impl Demo for Picking {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.applied = self.settings.clone();
        (self.time, self.problem) = (0.0, None);
        self.build()
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.apply();
        self.time += seconds;
        self.is_kept ^= input.toggles(Key::F) ^ input.pointer.clicked;
        orbit::turn(&mut self.orbit, &input.pointer);
        self.aim(input);
        self.test(seconds);
    }

    fn draw(&mut self, scene: &mut Scene) {
        scene.camera = self.orbit.camera();
        scene.sun.shadows = Some((self.orbit.target, 0.8 * self.orbit.distance));
        match &self.play {
            Play::Nothing => {}
            Play::Pick(shelf) => shelf.draw(scene, &self.ray, &self.cast),
            Play::Cull(field) => field.draw(scene, self.applied.test),
            Play::Hierarchy(hierarchy) => hierarchy.draw(scene, &self.ray),
            Play::Car(drive) => drive.draw(scene),
        }
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        let s = &mut self.settings;
        visit.choice(option("play", "What is shown"), &mut s.play, &PLAYS);
        visit.heading("Picking");
        visit.choice(
            option("form", "How spheres are tested: both forms of the lecture"),
            &mut s.form,
            &FORMS,
        );
        visit.heading("What a camera sees");
        visit.choice(option("test", "How volumes are tested with the view"), &mut s.test, &TESTS);
        visit.count(option("objects", "Number of bodies in the field"), &mut s.objects, 10..=3000);
        visit.heading("Hierarchy");
        visit.choice(option("build", "How the tree of boxes is built"), &mut s.build, &BUILDS);
        visit.choice(
            option("goal", "What is sought: the first hit, any, or all"),
            &mut s.goal,
            &GOALS.map(|(name, _)| name),
        );
        visit.heading("Car");
        visit.count(option("rays", "Rays of the fan"), &mut s.rays, 3..=41);
    }

    fn tasks(&self) -> [Task; 3] {
        let is_opened = matches!(self.play, Play::Hierarchy(_)) && self.is_kept;
        let has_driven = matches!(&self.play, Play::Car(drive) if drive.way() > 40.0);
        let is_halved = matches!(self.planes, [Some(spheres), Some(octants)] if octants < spheres);
        [
            Task::new("Play hierarchy: point at the gear, and keep the ray with a click", is_opened),
            Task::new("Play cull: compare the planes of spheres with those of octants", is_halved),
            Task::new("Play car: let it drive forty metres", has_driven),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        match &self.play {
            Play::Nothing => Vec::new(),
            Play::Pick(_) => shelf::LEGEND.to_vec(),
            Play::Cull(_) => field::LEGEND.to_vec(),
            Play::Hierarchy(_) => hierarchy::LEGEND.to_vec(),
            Play::Car(_) => drive::LEGEND.to_vec(),
        }
    }

    fn status(&self) -> Vec<String> {
        let lines = match &self.play {
            Play::Nothing => Vec::new(),
            Play::Pick(_) => self.cast.lines(self.applied.form),
            Play::Cull(field) => field.lines(),
            Play::Hierarchy(hierarchy) => hierarchy.lines(),
            Play::Car(drive) => drive.lines(),
        };
        self.problem.iter().cloned().chain(lines).collect()
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["point", "The ray goes through the pointer"],
            ["click, F", "Keep the ray where it is, or let it go"],
        ];
        keys.extend(orbit::KEYS);
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    #[test]
    fn every_play_runs_with_every_choice_and_counts() {
        let mut demo = Picking::new();
        demo.begin().unwrap();
        for (name, value) in [
            ("form", "mathematical"),
            ("play", "cull"),
            ("test", "spheres"),
            ("test", "boxes"),
            ("test", "tree"),
            ("objects", "50"),
            ("play", "hierarchy"),
            ("build", "bottom-up"),
            ("goal", "any"),
            ("goal", "all"),
            ("play", "car"),
            ("rays", "21"),
            ("play", "pick"),
        ] {
            options::assign(name, value, |visit| demo.options(visit)).unwrap();
            (0..5).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
            assert!(
                demo.problem.is_none() && demo.status().len() >= 2,
                "{name} {value}: {:?}",
                demo.status()
            );
        }
    }

    #[test]
    fn the_ray_follows_the_pointer_until_it_is_kept() {
        let mut demo = Picking::new();
        demo.begin().unwrap();
        let mut input = Input::of_held(&[]);
        input.pointer.at = Some([0.1, 0.2]);
        demo.step(&input, 0.0);
        let first = demo.ray;
        input.pointer.at = Some([-0.3, 0.1]);
        demo.step(&input, 0.0);
        assert!(demo.ray != first);
        let kept = demo.ray;
        input.pointer.clicked = true;
        demo.step(&input, 0.0);
        (input.pointer.clicked, input.pointer.at) = (false, Some([0.5, 0.5]));
        demo.step(&input, 0.0);
        assert_eq!(demo.ray, kept);
    }
}
