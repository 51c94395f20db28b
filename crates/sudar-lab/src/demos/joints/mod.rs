//! Joints at work: a bridge, dolls, a car, Andrews' squeezer, a crane, a cloth, a robot.

mod angles;
mod choice;
mod dog;
mod drive;
mod plots;
mod robot;
mod stand;
mod subject;
mod view;

use egui::Key;
use sudar::DVec3;
use sudar::dynamics::Handle;
use sudar_view::{Color, Orbit, Scene};

use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Hands, Plots, Task};
use crate::demos::hand::{self, Hand};
use crate::demos::{orbit, tape};
use crate::input::Input;
use crate::options::Visit;
use choice::{Choice, SCENES};
use drive::Drive;
use robot::{File, Held};
use stand::Stand;
use subject::Subject;

pub const ENTRY: Entry = Entry {
    name: "joints",
    title: "Joints",
    about: "Joints hold a bridge, dolls, a car among hills, a squeezer, a crane, a cloth, a robot; gaps are plotted.",
    source: "Scenes of our own; Andrews' squeezer of the test set for initial value problems, 2008",
    make: || Box::new(Joints::new()),
    picture_at: 1.6,
};

/// Metres that the car is to go.
const FAR: f64 = 60.0;

/// How fast keys turn the hips of the robot, in rad/s.
const CROUCH_SPEED: f64 = 0.6;

/// Metres that the crane is to lift.
const HIGH: f64 = 1.5;

struct Joints {
    choice: Choice,
    stand: Option<Stand>,
    /// Of which choice its bodies are.
    made: Choice,
    /// The robot that was dropped.
    file: Option<File>,
    hand: Hand<Handle>,
    orbit: Orbit,
    problem: Option<String>,
    clock: Clock,
}

impl Joints {
    fn new() -> Self {
        let choice = Choice::default();
        Self {
            choice,
            stand: None,
            made: choice,
            file: None,
            hand: Hand::default(),
            orbit: Subject::by_name(choice.scene).orbit(),
            problem: None,
            clock: Clock::default(),
        }
    }

    fn keys_struck(&mut self, input: &Input) {
        const NUMBERS: [Key; 7] =
            [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7];
        let struck = NUMBERS.into_iter().zip(SCENES).find(|(key, _)| input.is_struck(*key));
        if let Some((_, scene)) = struck {
            self.choice.scene = scene;
        }
        self.choice.joints ^= input.toggles(Key::J);
        self.choice.motors ^= self.choice.scene == "robot" && input.toggles(Key::M);
    }

    /// Keys raise and lower the robot of the laboratory, and the motors take over what is chosen.
    fn pose(&mut self, input: &Input, seconds: f64) -> Result<(), DemoError> {
        let Some(held) = self.stand.as_mut().and_then(Stand::robot_mut) else { return Ok(()) };
        held.raise(CROUCH_SPEED * seconds * input.ways()[0], self.choice.crouch);
        held.set_motors(self.choice.motors)
    }

    /// The bodies take over the options; others begin anew, and so does what is over at the space bar.
    fn take_over(&mut self, input: &Input) -> Result<(), DemoError> {
        let again = input.is_struck(Key::Space) && self.stand.as_ref().is_some_and(Stand::is_over);
        match &mut self.stand {
            Some(stand) if self.made.has_same_bodies(&self.choice) && !again => {
                subject::set_substeps(stand.bodies.world_mut(), self.choice.substeps)
            }
            _ => self.begin(),
        }
    }

    /// The key of the recording is heeded; whether one is played.
    fn tape(&mut self, input: &Input) -> Result<bool, DemoError> {
        let Some(stand) = &mut self.stand else { return Ok(false) };
        stand.tape.act(input, stand.bodies.world_mut()).map_err(DemoError::of)?;
        Ok(stand.tape.plays())
    }

    /// The pointer holds a body, or turns the view.
    fn hold(&mut self, input: &Input, seconds: f64) {
        let (camera, pointer) = (self.orbit.camera(), &input.pointer);
        let Some(stand) = &mut self.stand else { return };
        let holds = self.hand.act(pointer, &camera, stand.bodies.world_mut(), seconds * stand.subject.pace);
        if !holds {
            orbit::turn(&mut self.orbit, pointer);
        }
    }

    /// The view goes along with the car.
    fn follow(&mut self, before: Option<[DVec3; 2]>) {
        let now = self.car();
        if let (Some([from, was]), Some([to, is])) = (before, now) {
            self.orbit.target += to - from;
            let flat = |way: DVec3| way.with_z(0.0).normalize_or(DVec3::X);
            self.orbit.yaw += flat(was).cross(flat(is)).z;
        }
    }

    fn car(&self) -> Option<[DVec3; 2]> {
        let stand = self.stand.as_ref()?;
        let Drive::Car(car) = &stand.drive else { return None };
        car.ahead(stand.bodies.world())
    }

    fn go_on(&mut self, input: &Input, seconds: f64) -> Result<(), DemoError> {
        self.take_over(input)?;
        let plays = self.tape(input)?;
        if plays {
            orbit::turn(&mut self.orbit, &input.pointer);
        } else {
            self.pose(input, seconds)?;
            self.hold(input, seconds);
        }
        let (before, clock) = (self.car(), self.clock);
        if let Some(stand) = &mut self.stand {
            stand.advance(input, seconds, clock)?;
        }
        self.follow(before);
        Ok(())
    }

    fn has_driven(&self) -> bool {
        let drive = self.stand.as_ref().map(|stand| &stand.drive);
        matches!(drive, Some(Drive::Car(car)) if car.way > FAR)
    }

    fn has_risen(&self) -> bool {
        self.stand.as_ref().and_then(Stand::robot).is_some_and(|held| held.has_risen)
    }

    fn has_lifted(&self) -> bool {
        let lifted = |stand: &Stand| match &stand.drive {
            Drive::Crane(crane) => crane.lifted(stand.bodies.world()),
            Drive::Nothing | Drive::Car(_) => 0.0,
        };
        self.stand.as_ref().is_some_and(|stand| lifted(stand) > HIGH)
    }
}

impl Demo for Joints {
    fn begin(&mut self) -> Result<(), DemoError> {
        let stand = Stand::new(&self.choice, self.file.as_ref())?;
        // The view stays where the same is shown again.
        if self.stand.as_ref().is_none_or(|old| old.orbit() != stand.orbit())
            || matches!(stand.drive, Drive::Car(_))
        {
            self.orbit = stand.orbit();
        }
        self.stand = Some(stand);
        (self.made, self.hand, self.problem) = (self.choice, Hand::default(), None);
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.keys_struck(input);
        if self.problem.is_some() && self.made.has_same_bodies(&self.choice) {
            orbit::turn(&mut self.orbit, &input.pointer);
            return;
        }
        let done = self.go_on(input, seconds);
        self.problem = done.err().map(|error| error.0);
    }

    fn draw(&mut self, scene: &mut Scene) {
        scene.camera = self.orbit.camera();
        let Some(stand) = &self.stand else { return };
        scene.sun.shadows = Some((self.orbit.target, 0.8 * stand.orbit().distance));
        stand.picture.draw(scene, stand.bodies.world(), stand.axis(), self.choice.joints);
        self.hand.draw(scene);
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.choice.options(visit);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if self.choice.scene == "robot"
            && self.file.is_some()
            && ui.button("Back to the robot of the laboratory").clicked()
        {
            (self.file, self.choice.fixed) = (None, false);
            self.problem = self.begin().err().map(|error| error.0);
        }
        let Some(stand) = &mut self.stand else { return };
        ui.label(stand.subject.about);
        ui.add_space(4.0);
        match &stand.drive {
            Drive::Nothing => {}
            Drive::Car(_) => drop(ui.weak("Arrow keys drive, the space bar brakes.")),
            Drive::Crane(_) => drop(ui.weak("Left and right turn the crane, up and down raise its boom.")),
        }
        if let Some(held) = stand.robot_mut() {
            held.show(ui);
        }
        if stand.is_over() && ui.button("Play again (Space)").clicked() {
            self.problem = self.begin().err().map(|error| error.0);
        }
    }

    fn plots(&self) -> Plots<'_> {
        self.stand.as_ref().map_or(Plots::Charts(Vec::new()), |stand| stand.curves.plots())
    }

    fn tasks(&self) -> [Task; 3] {
        [
            Task::new("Drive the car 60 m through the hills (3, arrow keys)", self.has_driven()),
            Task::new("Lift the load of the crane by 1.5 m (5, arrow keys)", self.has_lifted()),
            Task::new("Switch the motors of the robot off, and let it rise again (7, M)", self.has_risen()),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        if self.choice.joints { view::LEGEND.to_vec() } else { Vec::new() }
    }

    fn status(&self) -> Vec<String> {
        let mut lines = self.stand.as_ref().map(|stand| stand.says(self.clock)).unwrap_or_default();
        lines.extend(self.problem.iter().map(|problem| format!("stopped: {problem}; Backspace begins anew")));
        lines
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["1 to 7", "Bridge, ragdolls, car, squeezer, crane, cloth, robot"],
            ["Up, W / Down, S", "Drive forward and backward; raise and lower the boom or the robot"],
            ["Left, A / Right, D", "Steer the car; turn the crane"],
            ["Space", "Brake; play the squeezer again"],
            ["M", "Motors of the robot off and on"],
            ["J", "Joints over the bodies"],
        ];
        keys.push(tape::KEYS);
        keys.extend(hand::KEYS);
        keys.extend(orbit::KEYS);
        keys
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), DemoError> {
        let text = std::str::from_utf8(bytes).map_err(|_| DemoError(format!("{name}: is not UTF-8 text")))?;
        let before = (self.file.take(), self.choice);
        self.file = Some(File { name: name.to_owned(), text: text.to_owned() });
        (self.choice.scene, self.choice.motors, self.choice.fixed) = ("robot", true, true);
        self.begin().inspect_err(|_| (self.file, self.choice) = before)
    }

    fn hands(&self) -> Hands {
        match self.stand.as_ref().map(|stand| &stand.drive) {
            Some(Drive::Car(_) | Drive::Crane(_)) => [
                &[("left", Key::ArrowLeft), ("right", Key::ArrowRight)],
                &[("down", Key::ArrowDown), ("up", Key::ArrowUp)],
            ],
            Some(Drive::Nothing) if self.stand.as_ref().and_then(Stand::robot).is_some_and(Held::is_own) => {
                [&[("motors", Key::M)], &[("down", Key::ArrowDown), ("up", Key::ArrowUp)]]
            }
            Some(Drive::Nothing) | None => [&[], &[]],
        }
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    fn begun(scene: &'static str) -> Joints {
        let mut demo = Joints::new();
        demo.choice.scene = scene;
        demo.begin().unwrap();
        demo
    }

    #[test]
    fn numbers_choose_scenes() {
        let mut demo = begun("bridge");
        demo.step(&Input::of_keys(&[Key::Num6]), 0.0);
        assert_eq!((demo.choice.scene, demo.made.scene), ("cloth", "cloth"));
        demo.step(&Input::of_keys(&[Key::J]), 0.0);
        assert!(demo.legend().is_empty());
    }

    #[test]
    fn what_is_done_to_the_car_is_recorded_and_played_to_the_bit() {
        let mut demo = begun("car");
        demo.step(&Input::of_keys(&[Key::R]), STEP);
        (0..60).for_each(|_| demo.step(&Input::of_held(&[Key::ArrowUp, Key::ArrowLeft]), STEP));
        let end = demo.car().unwrap();
        demo.step(&Input::of_keys(&[Key::R]), STEP);
        // The first step of it is done already.
        (0..60).for_each(|_| demo.step(&Input::of_held(&[]), STEP));
        assert_eq!(demo.car().unwrap(), end);
        assert!(demo.status().iter().any(|line| line.contains("the same bits")), "{:?}", demo.status());
    }

    #[test]
    fn a_car_turns_the_way_that_it_is_steered_and_the_view_goes_along() {
        for (key, sense) in [(Key::ArrowLeft, 1.0), (Key::ArrowRight, -1.0)] {
            let mut demo = begun("car");
            let [start, _] = demo.car().unwrap();
            let yaw = demo.orbit.yaw;
            (0..150).for_each(|_| demo.step(&Input::of_held(&[Key::ArrowUp, key]), STEP));
            let [at, ahead] = demo.car().unwrap();
            assert!(sense * ahead.y > 0.2 && at.distance(start) > 3.0, "{at} {ahead}");
            assert!(sense * (demo.orbit.yaw - yaw) > 0.2);
            (0..120).for_each(|_| demo.step(&Input::of_held(&[Key::Space]), STEP));
            let [at, _] = demo.car().unwrap();
            (0..10).for_each(|_| demo.step(&Input::of_held(&[Key::Space]), STEP));
            assert!(at.distance(demo.car().unwrap()[0]) < 0.02);
        }
    }

    #[test]
    fn the_squeezer_stands_at_its_end_until_it_is_played_again() {
        let mut demo = begun("squeezer");
        (0..310).for_each(|_| demo.step(&Input::of_held(&[]), STEP));
        let stand = demo.stand.as_ref().unwrap();
        assert!(stand.is_over() && stand.curves.angles.error().is_some_and(|error| error < 1e-2));
        demo.step(&Input::of_keys(&[Key::Space]), STEP);
        assert!(!demo.stand.as_ref().unwrap().is_over());
    }

    #[test]
    fn a_dropped_robot_is_shown_and_a_wrong_file_changes_nothing() {
        let mut demo = begun("bridge");
        assert!(demo.open("a.urdf", b"<robot name='a'>").is_err() && demo.open("a.urdf", b"\xff").is_err());
        assert!(demo.choice.scene == "bridge" && demo.file.is_none());
        demo.open(
            "rod.urdf",
            br#"<robot name="rod"><link name="base"/><link name="rod"><collision><geometry>
            <box size="1 0.1 0.1"/></geometry></collision></link><joint name="turn" type="continuous">
            <parent link="base"/><child link="rod"/><axis xyz="0 0 1"/></joint></robot>"#,
        )
        .unwrap();
        demo.step(&Input::of_held(&[]), STEP);
        assert!(demo.choice.scene == "robot" && demo.choice.fixed && demo.problem.is_none());
        assert!(demo.status().iter().any(|line| line.starts_with("rod: 1 joint,")), "{:?}", demo.status());
        demo.step(&Input::of_keys(&[Key::M]), STEP);
        assert!(demo.status().iter().any(|line| line.contains("motors off")));
        assert!(demo.open("b.urdf", b"nothing").is_err() && demo.file.is_some());
    }
}
