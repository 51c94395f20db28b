//! Tunnel transit (Maštera 2007): a fighter flies through a tunnel of cubes and shoots missiles that explode.

mod aim;
mod autopilot;
mod billboards;
mod cameras;
mod choice;
mod course;
mod engines;
mod flight;
mod missiles;
mod tally;
#[cfg(test)]
mod tests;
mod view;
mod wish;

use egui::Key;
use sudar::dynamics::Handle;
use sudar_view::{Camera, Color, Scene};

use crate::demo::{Banner, Demo, DemoError, Entry, Hands, Task};
use crate::demos::hand::{self, Hand};
use crate::input::Input;
use crate::options::Visit;
use autopilot::CONTROLS;
use cameras::{CAMERAS, Cameras};
use choice::{Choice, DISTANCES, after};
use course::{Course, TUNNELS};
use flight::{Flight, Handling, Phase};
use view::Looks;
use wish::{TURNING, Wish};

pub const TUNNEL: Entry = Entry {
    name: "tunnel",
    title: "Tunnel transit",
    about: "Fly a fighter through a tunnel of cubes, past what stands and floats in it, and shoot your way free.",
    source: "{Maštera 2007}, chapters 4, 7 and 9, appendices VI and VII",
    make: || Box::new(Tunnel::default()),
    picture_at: 0.5,
};

/// How fast the keys T and R change the drag, in 1/s a second.
const DRAG_A_SECOND: f64 = 0.5;

/// How fast the keys X and C move the camera, in m/s.
const CAMERA_A_SECOND: f64 = 8.0;

#[derive(Default)]
struct Tunnel {
    choice: Choice,
    /// The text of a tunnel that was dropped, and its name.
    file: Option<(String, String)>,
    open: Option<Open>,
    best: Option<f64>,
    problem: Option<String>,
}

/// A flight with what is seen of it.
struct Open {
    /// Which tunnel it goes through.
    tunnel: &'static str,
    flight: Flight,
    looks: Looks,
    cameras: Cameras,
    hand: Hand<Handle>,
}

impl Open {
    fn camera(&self, choice: &Choice) -> Camera {
        self.cameras.see(choice.camera, self.flight.motion(), choice.distance, self.flight.world())
    }

    /// In the free view the pointer holds a body or turns the view.
    fn look(&mut self, choice: &Choice, input: &Input, seconds: f64) {
        let camera = self.camera(choice);
        if !self.hand.act(&input.pointer, &camera, self.flight.world_mut(), seconds) {
            self.cameras.look(&input.pointer);
        }
    }
}

impl Tunnel {
    /// What keys that go down once choose.
    fn strike(&mut self, input: &Input) {
        let choice = &mut self.choice;
        for (key, control) in [(Key::Num1, CONTROLS[0]), (Key::Num2, CONTROLS[1])] {
            if input.is_struck(key) {
                choice.control = control;
            }
        }
        for _ in 0..input.strikes(Key::M) {
            choice.turning = after(choice.turning, &TURNING);
        }
        choice.aim ^= input.toggles(Key::Tab);
        for _ in 0..input.strikes(Key::V) {
            choice.camera = after(choice.camera, &CAMERAS);
            if let Some(open) = self.open.as_mut().filter(|_| choice.camera == "free") {
                open.cameras.release(open.flight.motion().center);
            }
        }
    }

    /// What keys change as long as they are down.
    fn hold(&mut self, input: &Input, seconds: f64) {
        let choice = &mut self.choice;
        let drag = input.axis(Key::T, Key::R) * DRAG_A_SECOND * seconds;
        choice.drag = (choice.drag + drag).clamp(0.0, 2.0);
        let nearer = input.axis(Key::X, Key::C);
        let Some(open) = &mut self.open else { return };
        if choice.camera == "free" {
            open.cameras.near(libm::exp(nearer * seconds));
            open.look(choice, input, seconds);
            return;
        }
        let wheel = 4.0 * libm::log2(input.pointer.zoom.max(1e-3));
        let distance = choice.distance - nearer * CAMERA_A_SECOND * seconds - wheel;
        choice.distance = distance.clamp(DISTANCES[0], DISTANCES[1]);
    }

    fn handling(&self) -> Handling {
        let Choice { thrust, drag, missile_speed, .. } = self.choice;
        let is_stabilised = self.choice.is_stabilised();
        Handling { is_stabilised, cruise: self.choice.cruise(), thrust, drag, missile_speed }
    }

    fn advance(&mut self, input: &Input, seconds: f64) -> Result<(), DemoError> {
        if self.open.as_ref().is_none_or(|open| open.tunnel != self.choice.tunnel) {
            self.begin()?;
        }
        let handling = self.handling();
        let mut wish = Wish::read(input, self.choice.is_by_mouse());
        // In the free view the button turns the view.
        wish.fires |= input.pointer.down && self.choice.camera != "free";
        let Some(open) = self.open.as_mut().filter(|_| seconds > 0.0) else { return Ok(()) };
        open.flight.step(&wish, &handling, seconds)?;
        open.cameras.follow(open.flight.motion().rotation, seconds);
        if open.flight.phase() == Phase::Passed {
            let points = open.flight.tally().points();
            self.best = Some(self.best.map_or(points, |best| best.max(points)));
        }
        Ok(())
    }

    fn course(&self) -> Result<Course, DemoError> {
        match &self.file {
            Some((_, text)) if self.choice.tunnel == TUNNELS[3] => Course::read(text),
            _ => Course::built_in(self.choice.tunnel),
        }
    }
}

impl Demo for Tunnel {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.problem = None;
        if self.choice.tunnel == TUNNELS[3] && self.file.is_none() {
            // An earlier day had a file; the demo opens all the same.
            self.problem = Some("drop a tunnel file onto the picture to fly through it".to_owned());
            self.choice.tunnel = TUNNELS[0];
        }
        let flight = Flight::new(self.course()?)?;
        let looks = Looks::new(&flight).ok_or_else(|| DemoError("there is no fighter".to_owned()))?;
        let cameras = Cameras::new(&flight.course().bounds(), flight.motion().rotation);
        self.open = Some(Open { tunnel: self.choice.tunnel, flight, looks, cameras, hand: Hand::default() });
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.strike(input);
        if input.is_struck(Key::Enter) && self.banner().is_some() {
            self.problem = self.begin().err().map(|error| error.0);
        }
        self.hold(input, seconds);
        if let Err(error) = self.advance(input, seconds) {
            self.problem = Some(error.0);
            // The tunnel that is shown goes on.
            if let Some(open) = &self.open {
                self.choice.tunnel = open.tunnel;
            }
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        let Some(open) = &self.open else { return };
        scene.camera = open.camera(&self.choice);
        let Open { flight, looks, hand, .. } = open;
        if self.choice.camera != "free" {
            scene.fog = 70.0;
        }
        view::draw(scene, flight, looks, self.choice.aim);
        hand.draw(scene);
    }

    fn tasks(&self) -> [Task; 3] {
        let flight = self.open.as_ref().map(|open| &open.flight);
        let [is_through, has_shot] = [
            flight.is_some_and(|flight| flight.phase() == Phase::Passed),
            flight.is_some_and(|flight| flight.tally().destroyed >= 3),
        ];
        let throws = self.open.as_ref().map_or(0, |open| open.hand.throws());
        [
            Task::new("Fly through the tunnel to its green end", is_through),
            Task::new("Shoot three orange bodies to pieces in one flight (F)", has_shot),
            Task::new("See it from outside (V, V), take hold of a body and throw it", throws > 0),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        view::LEGEND.to_vec()
    }

    fn timer(&self) -> Option<String> {
        Some(format!("{:.1} s", self.open.as_ref()?.flight.tally().seconds))
    }

    fn banner(&self) -> Option<Banner> {
        let flight = &self.open.as_ref()?.flight;
        let again = "Enter: fly again".to_owned();
        match flight.phase() {
            Phase::Passed => {
                let (points, best) = (flight.tally().points(), self.best.unwrap_or(0.0));
                let lines = vec![format!("{points:.0} points, the best so far {best:.0}"), again];
                Some(Banner { title: "You are through".to_owned(), lines })
            }
            Phase::Wrecked => {
                Some(Banner { title: "Wrecked".to_owned(), lines: vec!["no points".to_owned(), again] })
            }
            Phase::Ready | Phase::Flying => None,
        }
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.choice.options(visit);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        ui.label("A flight is worth 100 for each cube and 25 for each body shot to pieces, less 5 for each second and 5 for each percent of damage.");
        if let Some((name, _)) = &self.file {
            ui.weak(format!("Opened: {name}"));
        }
    }

    fn status(&self) -> Vec<String> {
        let mut lines = self.problem.clone().into_iter().collect::<Vec<_>>();
        let Some(Open { flight, .. }) = &self.open else { return lines };
        let tally = flight.tally();
        lines.push(format!(
            "cube {} of {}   damage {:.0} %   {} shot",
            flight.cube(),
            tally.cubes,
            tally.damage,
            tally.destroyed
        ));
        if flight.phase() == Phase::Ready {
            lines.push("W flies, arrows turn, F fires; time begins with the first key".to_owned());
        }
        let Choice { control, turning, camera, drag, .. } = self.choice;
        let speed = flight.motion().velocity.length();
        lines.push(format!("{speed:.1} m/s   drag {drag:.2}   {control}, {turning}, {camera} camera"));
        lines
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["W, S, A, D, E, Q", "Ahead, back, left, right, up, down"],
            ["arrows", "Turn; with Ctrl left and right roll"],
            ["Space", "Brake all motion"],
            ["F, left button", "Fire a missile"],
            ["1, 2", "Keys are forces; the autopilot flies"],
            ["M", "Turn by keyboard or by mouse; Ctrl + mouse rolls"],
            ["T, R", "More and less drag"],
            ["V", "Camera: behind, fixed, free (drag, right drag, wheel)"],
            ["X, C, wheel", "Camera nearer and farther"],
            ["Tab", "Aim: a cross where the nose points"],
            ["Enter", "Fly again, at the end"],
        ];
        keys.push(["free camera, drag a body", hand::KEYS[0][1]]);
        keys
    }

    fn hands(&self) -> Hands {
        [
            &[
                ("ahead", Key::W),
                ("back", Key::S),
                ("left", Key::A),
                ("right", Key::D),
                ("up", Key::E),
                ("down", Key::Q),
            ],
            &[
                ("nose up", Key::ArrowUp),
                ("nose\ndown", Key::ArrowDown),
                ("turn\nleft", Key::ArrowLeft),
                ("turn\nright", Key::ArrowRight),
                ("fire", Key::F),
                ("brake", Key::Space),
            ],
        ]
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), DemoError> {
        let text = std::str::from_utf8(bytes).map_err(|_| DemoError(format!("{name}: is not UTF-8 text")))?;
        Course::read(text).map_err(|error| DemoError(format!("{name}: {error}")))?;
        self.file = Some((name.to_owned(), text.to_owned()));
        self.choice.tunnel = TUNNELS[3];
        self.begin()
    }

    fn score(&self) -> Option<f64> {
        self.best
    }

    fn set_best(&mut self, score: f64) {
        self.best = Some(score);
    }
}
