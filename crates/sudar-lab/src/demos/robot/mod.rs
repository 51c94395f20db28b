//! A robot arm among obstacles, or a robot of a file: clearances, ways that are checked at every moment, and certified
//! paths between two poses that are dragged.

mod arm;
mod known;
mod picture;
mod search;
mod settings;
mod site;
#[cfg(test)]
mod tests;
mod tips;
mod way;

use egui::Key;
use sudar_robot::Robot;
use sudar_view::{Color, Orbit, Scene};

use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Task};
use crate::demos::{orbit, robot_file};
use crate::input::Input;
use crate::options::Visit;
use known::{Known, says};
use picture::Picture;
use settings::Settings;
use site::Site;
use tips::Tips;
use way::Way;

pub const ENTRY: Entry = Entry {
    name: "robot-arm",
    title: "Robot arm",
    about: "Drag two poses of an arm: a path between them that is certified free, and how near it is to anything.",
    source: "An arm of our own; dynamic tests as {Daneu 2002}, chapter 1, has them",
    make: || Box::new(RobotArm::new()),
    picture_at: 0.1,
};

/// Radians or metres a second that keys move a joint.
const PACE: f64 = 0.8;

struct RobotArm {
    settings: Settings,
    /// The robot that was dropped.
    file: Option<Robot>,
    shown: Option<(Site, Picture)>,
    known: Known,
    tips: Tips,
    orbit: Orbit,
    clock: Clock,
    /// The joint that keys turn.
    joint: usize,
    sense: f64,
    problem: Option<String>,
}

impl RobotArm {
    fn new() -> Self {
        Self {
            settings: Settings::default(),
            file: None,
            shown: None,
            known: Known::default(),
            tips: Tips::default(),
            orbit: picture::view(1.0),
            clock: Clock::default(),
            joint: 0,
            sense: 1.0,
            problem: None,
        }
    }

    /// Shows a robot in the poses that are chosen, or in its own if they are of another.
    fn show(&mut self, site: Site) -> Result<(), DemoError> {
        let picture = Picture::new(&site)?;
        if self.settings.poses.iter().any(|pose| pose.len() != site.dof()) {
            self.settings.poses = site.poses.clone();
        }
        (self.known, self.tips, self.joint) = (Known::default(), Tips::default(), 0);
        self.orbit = picture::view(site.size);
        self.shown = Some((site, picture));
        self.refresh();
        Ok(())
    }

    fn refresh(&mut self) {
        let Some((site, _)) = &self.shown else { return };
        self.problem = self.known.refresh(site, &self.settings, self.clock).err().map(|error| error.0);
    }

    /// The pointer drags the tip of a pose, or turns the view.
    fn drag(&mut self, input: &Input) {
        let Some((site, _)) = &self.shown else { return };
        let ends = [0, 1].map(|pose: usize| site.tip_at(&self.settings.poses[pose]));
        match self.tips.act(&input.pointer, &self.orbit.camera(), ends) {
            Some((pose, point)) => {
                let pose = &mut self.settings.poses[pose];
                if let Some(found) = site.reach(pose, point) {
                    *pose = found;
                }
            }
            None => orbit::turn(&mut self.orbit, &input.pointer),
        }
    }

    fn keys_and_time(&mut self, input: &Input, seconds: f64) {
        const NUMBERS: [Key; 9] = [
            Key::Num1,
            Key::Num2,
            Key::Num3,
            Key::Num4,
            Key::Num5,
            Key::Num6,
            Key::Num7,
            Key::Num8,
            Key::Num9,
        ];
        let Some((site, _)) = &self.shown else { return };
        let struck = NUMBERS.into_iter().take(site.dof()).position(|key| input.is_struck(key));
        self.joint = struck.unwrap_or(self.joint);
        let turn = input.axis(Key::ArrowRight, Key::ArrowLeft);
        if turn != 0.0 {
            let limits = site.cell.robot().dofs()[self.joint].limits;
            let by = PACE * turn * if seconds > 0.0 { seconds } else { 1.0 / 60.0 };
            let value = &mut self.settings.poses[self.tips.last][self.joint];
            *value = (*value + by).max(limits.lower).min(limits.upper);
        }
        if input.is_struck(Key::G) {
            self.end_here();
        }
        self.settings.is_playing ^= input.toggles(Key::Space);
        if self.settings.is_playing {
            let duration = self.known.way.as_ref().map_or(0.0, Way::duration).max(0.1);
            let along = self.settings.along + self.sense * seconds / duration;
            if !(0.0..=1.0).contains(&along) {
                self.sense = -along.signum();
            }
            self.settings.along = along.clamp(0.0, 1.0);
        }
    }

    /// The way ends where the robot is.
    fn end_here(&mut self) {
        self.settings.poses[1].clone_from(&self.known.now);
        self.settings.along = 1.0;
    }

    fn buttons(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            if ui.button("Goal here").on_hover_text("The way ends where the arm is: G").clicked() {
                self.end_here();
            }
            if ui.button("Swap").on_hover_text("The way the other way round").clicked() {
                self.settings.poses.swap(0, 1);
            }
        });
        if self.file.is_none() {
            ui.weak("Drop a URDF or MJCF file onto the picture to see another robot.");
        } else if ui.button("Back to the arm of the laboratory").clicked() {
            self.file = None;
            (self.settings.poses, self.settings.is_own) = (Settings::default().poses, true);
            self.problem = self.begin().err().map(|error| error.0);
        }
    }

    /// Sliders for both poses of a robot of a file.
    fn sliders(&mut self, ui: &mut egui::Ui) {
        let Some((site, _)) = self.shown.as_ref().filter(|_| self.file.is_some()) else { return };
        for (title, pose) in ["Start", "Goal"].into_iter().zip(&mut self.settings.poses) {
            ui.collapsing(title, |ui| {
                for (k, (dof, value)) in site.cell.robot().dofs().iter().zip(pose).enumerate() {
                    let range = site.range(k);
                    ui.small(&dof.name);
                    // What is dragged goes beyond what is offered where there are no limits.
                    let slider = egui::Slider::new(value, range.lower..=range.upper)
                        .clamping(egui::SliderClamping::Edits);
                    ui.add(slider.suffix(if dof.is_angle { " rad" } else { " m" }));
                }
            });
        }
    }

    /// What was noticed in the file and around the robot.
    fn notes(&self) -> Vec<String> {
        let Some((site, _)) = self.shown.as_ref().filter(|_| self.file.is_some()) else { return Vec::new() };
        let bare =
            site.is_bare().then(|| "no link that moves has geometry: nothing of it is checked".to_owned());
        let left_out = site.left_out.iter().map(|name| format!("{name}: left out, the robot stands in it"));
        bare.into_iter().chain(site.cell.robot().notes().iter().cloned()).chain(left_out).collect()
    }
}

impl Demo for RobotArm {
    fn begin(&mut self) -> Result<(), DemoError> {
        let site = self.file.as_ref().map_or_else(Site::own, Site::of)?;
        self.show(site)
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.drag(input);
        self.keys_and_time(input, seconds);
        self.refresh();
    }

    fn draw(&mut self, scene: &mut Scene) {
        scene.camera = self.orbit.camera();
        if let Some((site, picture)) = &self.shown {
            picture.draw(site, &self.known, &self.settings, &self.tips, scene);
        }
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.settings.visit(visit);
    }

    fn tasks(&self) -> [Task; 3] {
        let touches = self.known.least().is_some_and(|near| near.signed.upper <= 0.0);
        let is_led = self.tips.drags > 0 && self.known.search.best.is_some();
        let is_under_way = self.settings.is_playing && self.settings.along > 0.5;
        [
            Task::new("Turn joints of the start until the arm touches something (it turns red)", touches),
            Task::new("Drag the ball of the goal to where a path leads", is_led),
            Task::new("Let the arm go its way (Space)", is_under_way),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        picture::LEGEND.to_vec()
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        self.buttons(ui);
        self.sliders(ui);
        for note in self.notes() {
            ui.add(egui::Label::new(egui::RichText::new(note).small()).wrap());
        }
        ui.separator();
        ui.strong("Nearest of each link");
        let Some((site, _)) = &self.shown else { return };
        for near in self.known.nearest.iter().flatten() {
            let color = picture::paint(near.signed.upper);
            ui.colored_label(crate::chart::of(color), says(site, near));
        }
        ui.separator();
        ui.label(
            "A way is proved at every moment of it: what is farther apart than it can move within some time is free \
             for all of that time; where it is not, the time is halved. Nothing is sampled.",
        );
        if let Some(plan) = &self.known.search.best {
            let done = plan.statistics;
            ui.weak(format!(
                "The path took {} rounds, {} configurations and {} proofs of edges.",
                done.rounds, done.configurations, done.certifications
            ));
        }
        if self.clock.0.is_some() {
            let [near, way, search] = self.known.times;
            ui.weak(format!("Clearances {near:.2} ms, straight way {way:.1} ms, last search {search:.0} ms"));
        }
    }

    fn status(&self) -> Vec<String> {
        let Some((site, _)) = &self.shown else { return Vec::new() };
        let mut lines = Vec::new();
        if self.file.is_some() {
            let dof = site.dof();
            let plural = if dof == 1 { "" } else { "s" };
            lines.push(format!("{}: {dof} joint{plural}", site.cell.robot().name()));
            lines.extend(robot_file::first(&self.notes()));
        }
        lines.extend(self.known.least().map(|near| says(site, near)));
        // Of what is not checked nothing is certain.
        let is_told = |wanted: bool| wanted && !site.is_bare();
        let path = is_told(self.settings.plans).then(|| self.known.search.says(self.settings.tries));
        let straight = is_told(self.settings.course).then(|| self.known.says_straight(site));
        lines.extend(path.into_iter().chain(straight.flatten()));
        let name = site.cell.robot().dofs().get(self.joint).map_or("", |dof| &dof.name);
        let pose = ["start", "goal"][self.tips.last.min(1)];
        lines.push(format!("keys turn joint {} ({name}) of the {pose}", self.joint + 1));
        lines.extend(self.problem.clone());
        lines
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["drag a ball", "Move the tip where the way begins or ends"],
            ["1 to 9", "Choose a joint of the pose that was dragged last, at first of the start"],
            ["Left, Right", "Turn it"],
            ["G", "The way ends here"],
            ["Space", "Go to the goal and back"],
        ];
        keys.extend(orbit::KEYS);
        keys
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), DemoError> {
        let text = std::str::from_utf8(bytes).map_err(|_| DemoError(format!("{name}: is not UTF-8 text")))?;
        let robot = robot_file::read(name, text)?;
        let site = Site::of(&robot)?;
        let before = std::mem::replace(&mut self.settings.poses, site.poses.clone());
        self.show(site).inspect_err(|_| self.settings.poses = before)?;
        (self.settings.is_own, self.file) = (false, Some(robot));
        Ok(())
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}
