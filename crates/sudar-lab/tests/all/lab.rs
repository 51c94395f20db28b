//! The program around the demos, by scripted input.

use egui::Key;
use sudar_lab::native::{Headless, Picture, Script};
use sudar_lab::{Lab, Link, demos, options};

use crate::gl;

/// Runs a script from the gallery or a link.
fn run(link: &str, script: &str, frames: u64) -> Headless {
    let mut lab = Lab::default();
    lab.go(&Link::read(link)).unwrap();
    let script = Script::read(script).unwrap();
    let mut headless = Headless::new(lab, [1280, 720], 1.0).unwrap();
    for frame in 0..frames {
        let events = script.at(frame).collect();
        if frame == 0 || frame + 1 == frames { headless.frame(events) } else { headless.advance(events) }
    }
    headless
}

fn open(headless: &mut Headless) -> Option<String> {
    headless.lab.link().demo
}

#[test]
fn the_gallery_opens_what_is_clicked_and_escape_leads_back() {
    if gl::is_there() {
        let first = demos::ALL[0].name;
        assert_eq!(open(&mut run("#", "5 click 150 150", 12)).as_deref(), Some(first));
        assert_eq!(open(&mut run("#", "5 click 150 150\n20 key Escape", 25)), None);
    }
}

#[test]
fn arrow_keys_and_enter_choose() {
    if gl::is_there() {
        let name = demos::ALL[1].name;
        assert_eq!(open(&mut run("#", "5 key ArrowRight\n10 key Enter", 15)).as_deref(), Some(name));
    }
}

/// Every tile of the first row has a picture: many colours.
#[test]
fn the_gallery_shows_pictures() {
    if gl::is_there() {
        let picture = run("#", "", 40).picture();
        let mut colors: Vec<[u8; 4]> =
            (20..280).flat_map(|x| (90..200).map(move |y| (x, y))).map(|(x, y)| picture.at(x, y)).collect();
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 100, "{}", colors.len());
    }
}

fn differing(a: &Picture, b: &Picture) -> usize {
    a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)).filter(|(p, q)| p != q).count()
}

#[test]
fn f1_shows_the_keys_everywhere() {
    if !gl::is_there() {
        return;
    }
    for link in std::iter::once("#".to_owned()).chain(demos::ALL.map(|entry| format!("#{}", entry.name))) {
        let [plain, help] = ["1 key P", "1 key P\n10 key F1"].map(|script| run(&link, script, 20).picture());
        assert!(differing(&plain, &help) > 10_000, "{link}");
        let closed = run(&link, "1 key P\n10 key F1\n15 key F1", 40).picture();
        let again = run(&link, "1 key P", 40).picture();
        assert!(differing(&closed, &again) < 20_000, "{link}");
    }
}

#[test]
fn time_stands_still_while_paused_and_goes_step_by_step() {
    if gl::is_there() {
        let still = |script: &str| run("#box-cubes", script, 60).picture();
        assert!(differing(&still("10 key P"), &still("")) > 1000);
        let [one, two] = ["10 key P\n20 key Period", "10 key P\n20 key Period\n30 key Period"].map(still);
        assert!(differing(&one, &two) > 100);
    }
}

#[test]
fn plots_are_not_empty() {
    if gl::is_there() {
        let picture = run("#explorer&objects=300", "", 60).picture();
        // The curve of the pairs, in the second plot below the picture.
        let is_curve = |[r, g, b, _]: [u8; 4]| b > 150 && g > 100 && r < 130;
        let count = (560..770)
            .flat_map(|x| (565..715).map(move |y| (x, y)))
            .filter(|(x, y)| is_curve(picture.at(*x, *y)));
        assert!(count.count() > 100);
    }
}

#[test]
fn a_link_of_a_page_is_followed_as_far_as_it_fits() {
    let mut lab = Lab::default();
    lab.go_as_far(&Link::read("#explorer&objects=abc&cells=perhaps&container=40")).unwrap();
    assert_eq!(lab.link().to_string(), "#explorer&container=40");
    assert!(lab.go_as_far(&Link::read("#nowhere")).is_err());
}

#[test]
fn what_is_wrong_in_a_link_is_said_in_a_sentence() {
    let mut lab = Lab::default();
    let says = |lab: &mut Lab, link: &str| lab.go(&Link::read(link)).unwrap_err().to_string();
    assert!(says(&mut lab, "#nowhere").starts_with("there is no demo \"nowhere\"; there are: explorer"));
    assert!(says(&mut lab, "#explorer&objects=-1").starts_with("objects is 0 to 1000000"));
    assert!(says(&mut lab, "#explorer&algorithm=magic").starts_with("algorithm is one of auto"));
    assert_eq!(lab.link(), Link::default());
}

#[test]
fn the_link_of_a_demo_opens_it_again() {
    let mut lab = Lab::default();
    for entry in demos::ALL {
        lab.go(&Link { demo: Some(entry.name.to_owned()), options: Vec::new() }).unwrap();
        assert_eq!(lab.link().to_string(), format!("#{}", entry.name));
    }
    let link = Link::read("#explorer&objects=2000&algorithm=sap");
    lab.go(&link).unwrap();
    assert_eq!(lab.link(), link);
}

#[test]
fn options_are_kept() {
    let mut lab = Lab::default();
    lab.go(&Link::read("#explorer&objects=77")).unwrap();
    let kept = lab.keep();
    let mut next = Lab::default();
    next.recall(&kept);
    next.go(&Link::read("#explorer")).unwrap();
    assert_eq!(next.link(), Link::read("#explorer&objects=77"));
    // What is open by its name when they are recalled, as at the start of the window, has them too.
    let mut early = Lab::default();
    early.go(&Link::read("#explorer")).unwrap();
    early.recall(&kept);
    assert_eq!(early.link(), Link::read("#explorer&objects=77"));
}

#[test]
fn a_link_with_options_has_no_others() {
    let mut lab = Lab::default();
    lab.go(&Link::read("#explorer&objects=77&drawing=off")).unwrap();
    let kept = lab.keep();
    let link = Link::read("#explorer&algorithm=sap");
    for is_early in [false, true] {
        let mut next = Lab::default();
        if is_early {
            next.go(&link).unwrap();
        }
        next.recall(&kept);
        if !is_early {
            next.go(&link).unwrap();
        }
        assert_eq!(next.link(), link);
    }
    // Nor has what is recorded, whose head says what was chosen.
    let mut recorded = Lab::default();
    recorded.go(&Link::read("#explorer")).unwrap();
    recorded.record().unwrap();
    recorded.recall(&kept);
    assert_eq!(recorded.link(), Link::read("#explorer"));
}

#[test]
fn a_file_where_none_is_wanted_is_refused_in_the_window() {
    if gl::is_there() {
        let mut headless = run("#explorer", "1 key P", 10);
        let before = headless.picture();
        headless.lab.open_file("part.obj", b"v 0 0 0");
        (0..3).for_each(|_| headless.frame(Vec::new()));
        assert!(differing(&before, &headless.picture()) > 1000);
    }
}

#[test]
fn the_head_of_recorded_steps_names_every_option() {
    let mut lab = Lab::default();
    for name in ["explorer", "box-cubes", "bumper-cars"] {
        lab.go(&Link::read(&format!("#{name}"))).unwrap();
        let head = lab.record().unwrap();
        for described in options::describe(|visit| lab.demo().unwrap().options(visit)) {
            assert!(head.contains(described.field.name), "{name}: {}", described.field.name);
        }
        let columns = lab.demo().unwrap().columns().unwrap();
        assert_eq!(head.lines().skip(1).collect::<Vec<_>>(), [columns], "{name}");
    }
    lab.go(&Link::read("#gearbox")).unwrap();
    assert_eq!(lab.record(), None);
}

fn finger(phase: egui::TouchPhase, at: egui::Pos2) -> egui::Event {
    let (device_id, id) = (egui::TouchDeviceId(0), egui::TouchId(1));
    egui::Event::Touch { device_id, id, phase, pos: at, force: None }
}

/// From the first touch on the keys that move are buttons at the edges of the picture.
#[test]
fn a_finger_walks_and_drives() {
    if !gl::is_there() {
        return;
    }
    for link in ["#explorer&objects=0", "#bumper-cars&tests=off", "#tunnel"] {
        let mut headless = gl::lab(link);
        let [width, height] = gl::SIZE.map(|side| side as f32);
        let middle = egui::pos2(0.5 * width, 0.5 * height);
        gl::go_on(&mut headless, vec![finger(egui::TouchPhase::Start, middle)], 1);
        // Cars wait for the end of their countdown.
        let frames = if link.contains("cars") { 190 } else { 2 };
        let still = gl::go_on(&mut headless, vec![finger(egui::TouchPhase::End, middle)], frames);
        // The button in the upper corner of the left hand, or of the right one's second column.
        let at = if link.contains("cars") {
            egui::pos2(width - 30.0, 0.5 * height)
        } else {
            egui::pos2(30.0, 0.5 * height - 40.0)
        };
        let held = gl::go_on(&mut headless, vec![finger(egui::TouchPhase::Start, at)], 40);
        assert!(gl::difference(&still, &held) > 20_000, "{link}");
        let first = gl::go_on(&mut headless, vec![finger(egui::TouchPhase::End, at)], 90);
        let later = gl::go_on(&mut headless, Vec::new(), 60);
        assert!(link.contains("cars") || gl::difference(&first, &later) < 2000, "{link}");
    }
}

/// A key goes down and up.
fn tap(key: Key) -> Vec<egui::Event> {
    [gl::press(key), gl::release(key)].concat()
}

/// A laboratory with its controls.
fn with_controls(link: &str, size: [u32; 2], scale: f32) -> Headless {
    let mut lab = Lab::default();
    lab.go(&Link::read(link)).unwrap();
    let mut headless = Headless::new(lab, size, scale).unwrap();
    (0..3).for_each(|_| headless.frame(Vec::new()));
    headless
}

/// Escape closes the list first, and the demo after it.
#[test]
fn escape_closes_an_open_list_before_the_demo() {
    if !gl::is_there() {
        return;
    }
    let mut headless = with_controls("#theatre", [1280, 720], 1.0);

    // The first list below the things to try.
    let at = (60..400).map(|y| egui::pos2(160.0, y as f32)).find(|at| {
        let button = |pressed| egui::Event::PointerButton {
            pos: *at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        gl::go_on(&mut headless, vec![egui::Event::PointerMoved(*at)], 1);
        gl::go_on(&mut headless, vec![button(true)], 1);
        gl::go_on(&mut headless, vec![button(false)], 2);
        headless.is_list_open()
    });
    assert!(at.is_some(), "no list opens");
    gl::go_on(&mut headless, tap(Key::Escape), 2);
    assert!(!headless.is_list_open() && headless.lab.demo().is_some());
    gl::go_on(&mut headless, tap(Key::Escape), 2);
    assert!(headless.lab.demo().is_none());
}

/// The help is in the window with large texts too: nothing of it is cut off at the edges.
#[test]
fn the_keys_fit_a_window_with_large_texts() {
    if !gl::is_there() {
        return;
    }
    for name in ["explorer", "microscope", "tunnel", "box-fighter"] {
        let mut headless = with_controls(&format!("#{name}"), [1280, 720], 2.0);
        let before = gl::go_on(&mut headless, tap(Key::P), 3);
        let after = gl::go_on(&mut headless, tap(Key::F1), 4);
        let changed = |x: u32, y: u32| before.at(x, y) != after.at(x, y);
        assert!(gl::difference(&before, &after) > 100_000, "{name}");
        // Its frame is within the window; only its shadow may reach the lower edge.
        assert!((0..1280).all(|x| !changed(x, 0)), "{name}");
        assert!((0..720).all(|y| !changed(0, y) && !changed(1279, y)), "{name}");
    }
}

/// Two taps within a frame are two.
#[test]
fn taps_within_a_frame_all_count() {
    if !gl::is_there() {
        return;
    }
    let taps = |key: Key, count: usize| std::iter::repeat_n(tap(key), count).flatten().collect();
    let mut headless = with_controls("#box-cubes", [640, 360], 1.0);
    gl::go_on(&mut headless, taps(Key::P, 2), 1);
    let running = headless.lab.steps();
    (0..10).for_each(|_| headless.frame(Vec::new()));
    assert!(headless.lab.steps() > running + 5, "two taps of P pause and go on");
    gl::go_on(&mut headless, taps(Key::P, 1), 2);
    let paused = headless.lab.steps();
    gl::go_on(&mut headless, taps(Key::Period, 3), 5);
    assert_eq!(headless.lab.steps(), paused + 3);
}

#[test]
fn the_tour_shows_every_stop_and_ends_in_the_gallery() {
    if !gl::is_there() {
        return;
    }
    let mut lab = Lab::default();
    lab.begin_tour();
    let mut headless = Headless::new(lab, [640, 360], 1.0).unwrap();
    let mut names = std::collections::BTreeSet::new();
    for _ in 0..200 {
        headless.frame(Vec::new());
        let Some(_) = headless.lab.demo() else { break };
        names.insert(headless.lab.name().unwrap_or_default());
        // What is tried during the tour is nobody's choice.
        assert_eq!(headless.lab.link(), Link::default());
        headless.advance(tap(Key::Space));
    }
    assert!(names.len() >= 7 && headless.lab.demo().is_none(), "{names:?}");
}

/// Every link of the course opens what it says, with each of its options.
#[test]
fn every_link_of_the_course_opens() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/course.md");
    let text = std::fs::read_to_string(path).unwrap();
    let links: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("[`")).collect();
    assert_eq!(links.len(), 10);
    for line in links {
        let (link, rest) = line.split_once("`](../../lab/").unwrap();
        assert_eq!(rest, format!("{link})"), "text and target differ");
        let mut lab = Lab::default();
        lab.go(&Link::read(link)).unwrap();
        let demo = lab.demo().unwrap();
        let values = options::values(|visit| demo.options(visit));
        for (name, value) in Link::read(link).options {
            assert!(values.contains(&(name.clone(), value.clone())), "{link}: {name} is not {value}");
        }
        (0..30).for_each(|_| demo.step(&sudar_lab::Input::of_held(&[]), 1.0 / 60.0));
    }
}

/// Lesson 5 gives the pairs of nodes of two searches.
#[test]
fn the_course_counts_what_the_searches_take() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/course.md");
    let text = std::fs::read_to_string(path).unwrap();
    let visits = |system: &str| -> String {
        let link = format!("#microscope&model-a=torus&model-b=torus&system={system}&walk=on&visit=200000");
        let mut lab = Lab::default();
        lab.go(&Link::read(&link)).unwrap();
        let lines = lab.demo().unwrap().status();
        let line = lines.iter().find(|line| line.starts_with("visit")).unwrap();
        line.split(' ').nth(3).unwrap().trim_end_matches(':').to_owned()
    };
    let says = format!("RAPID needs {}, the sphere tree {}", visits("rapid"), visits("sphere-tree"));
    assert!(text.contains(&says), "{says}");
}
