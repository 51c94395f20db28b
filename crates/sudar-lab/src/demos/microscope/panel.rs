//! The figures at the side.

use egui::{Button, Grid, RichText, Ui};
use sudar::query::{Contact, Distance, Intersection, LocalMinimum, Penetration, Sweep};

use super::answers::{Answers, Contacts, Plane};
use super::desk::Desk;
use super::hands::{pairs, rounds, stepped, visits};
use super::picture::MOST_NODES;
use super::settings::Settings;
use super::trees::{self, Counts, Trees};

/// What the engine says, in words, one line a question.
pub fn lines(answers: &Answers) -> Vec<[String; 2]> {
    let lines = [
        ("first hit", answers.first.as_ref().map(|(found, _)| says_first(found))),
        ("contacts", answers.contacts.as_ref().map(says_contacts)),
        ("distance", answers.distance.as_ref().map(says_distance)),
        ("minima", answers.minima.as_deref().map(says_minima)),
        ("plane", answers.plane.as_ref().map(says_plane)),
        ("manifold", answers.manifold.as_deref().map(says_manifold)),
        ("penetration", answers.penetration.as_ref().map(says_penetration)),
        ("impact", answers.impact.as_ref().map(says_impact)),
    ];
    lines.into_iter().filter_map(|(what, says)| Some([what.to_owned(), says?])).collect()
}

fn says_first(found: &Intersection) -> String {
    match found {
        Intersection::Apart => "they do not meet".to_owned(),
        Intersection::Touching { features: [i, j] } => format!("triangles {i} and {j} meet"),
        Intersection::Undecided(_) => "too near to tell".to_owned(),
    }
}

fn says_contacts(contacts: &Contacts) -> String {
    match contacts {
        Contacts::Pairs(pairs, is_all) => {
            format!("{} pairs of triangles{}", pairs.len(), if *is_all { "" } else { " and more" })
        }
        Contacts::OfOne(side, triangles) => format!("{} triangles of {}", triangles.len(), ["A", "B"][*side]),
        Contacts::None => "both are round: no triangles".to_owned(),
    }
}

fn says_distance(found: &Distance) -> String {
    let [i, j] = found.features;
    format!("{:.12}\nto {:.12} m;\nfeatures {i}, {j}", found.interval.lower, found.interval.upper)
}

fn says_minima(minima: &[LocalMinimum]) -> String {
    let least =
        minima.first().map_or(String::new(), |least| format!(", least {:.6} m", least.interval.upper));
    format!("{}{least}", minima.len())
}

fn says_plane(plane: &Option<Plane>) -> String {
    plane
        .as_ref()
        .map_or("none: the hulls meet".to_owned(), |plane| format!("hulls {:.6} m apart", plane.gap))
}

fn says_manifold(contacts: &[Contact]) -> String {
    let deepest = contacts.iter().map(|contact| contact.depth).reduce(f64::max);
    let depth = deepest.map_or(String::new(), |deepest| format!(", deepest {deepest:.6} m"));
    format!("{} points{depth}", contacts.len())
}

fn says_penetration(found: &Penetration) -> String {
    format!("signed {:.9}\nto {:.9} m", found.signed.lower, found.signed.upper)
}

fn says_impact(found: &Sweep) -> String {
    match found {
        Sweep::Free => "none on the way: certain".to_owned(),
        Sweep::Hit(impact) => {
            format!("{:.9}\nto {:.9} of the way", impact.time.lower, impact.time.upper)
        }
        Sweep::Undecided { free_until, .. } => format!("not before {free_until:.4}"),
    }
}

/// Where a walk is, and what it has come to beside the engine.
pub fn walk_lines(desk: &Desk, settings: &Settings) -> Vec<String> {
    let Some(trees) = desk.trees.as_ref().filter(|_| settings.walks) else { return Vec::new() };
    let last = visits(desk);
    let number = settings.visit.min(last) as usize;
    let Some(visit) = trees.visits().get(number - 1) else { return Vec::new() };
    let ([a, b], now, effort) = (visit.nodes, trees.counts(number), desk.answers.effort);
    vec![
        format!(
            "visit: {number} of {last}: nodes {a} and {b}, {}",
            trees::says(visit.fate, trees::items(settings.system))
        ),
        format!(
            "so far: {} pairs of nodes, {} of {}; engine in all {}, {}",
            now.visits,
            now.triangle_tests,
            trees::items(settings.system),
            effort.nodes,
            effort.triangles
        ),
    ]
}

/// Everything at the side besides the options.
pub fn show(ui: &mut Ui, desk: &Desk, settings: &mut Settings) {
    if let Some(problem) = &desk.problem {
        ui.label(RichText::new(problem).color(egui::Color32::from_rgb(255, 170, 120)));
    }
    ui.strong("Answers");
    Grid::new("answers").num_columns(2).striped(true).show(ui, |ui| {
        for [what, says] in lines(&desk.answers) {
            ui.label(what);
            ui.label(says);
            ui.end_row();
        }
    });
    if settings.difference {
        ui.separator();
        ui.label("The rounds of the method: J and K");
        let last = rounds(desk);
        step_buttons(ui, &mut settings.round, last);
    }
    if let Some(walk) = &desk.features {
        ui.separator();
        ui.label("The walk of Lin and Canny: X and Z");
        step_buttons(ui, &mut settings.pair, pairs(desk));
        walk.lines(settings.pair).into_iter().for_each(|line| drop(ui.label(line)));
    }
    if let Some(trees) = &desk.trees {
        ui.separator();
        show_trees(ui, trees, desk, settings);
    }
}

fn show_trees(ui: &mut Ui, trees: &Trees, desk: &Desk, settings: &mut Settings) {
    ui.strong(format!("Trees: {}", settings.system));
    let level = settings.level.min(trees.depth());
    for side in 0..2 {
        let (all, here) = (trees.nodes(side).len(), trees.level(side, level).count());
        let drawn = if here > MOST_NODES { format!(", {MOST_NODES} of them drawn") } else { String::new() };
        let (name, depth) = (["A", "B"][side], trees.depth());
        ui.label(format!("{name}: {all} nodes, {here} at level {level} of {depth}{drawn}"));
    }
    if desk.models().iter().any(|model| model.is_round()) {
        ui.weak("Round bodies are seen as meshes within 0.4 % of their size.");
    }
    if settings.system == trees::ENGINE {
        ui.weak("Eight boxes a node. Its search is too fast to be watched; its counts stand beside those of the systems.");
    } else if settings.walks {
        show_walk(ui, trees, desk, settings);
    }
}

fn show_walk(ui: &mut Ui, trees: &Trees, desk: &Desk, settings: &mut Settings) {
    let last = visits(desk);
    settings.visit = settings.visit.min(last);
    step_buttons(ui, &mut settings.visit, last);
    let Some(visit) = trees.visits().get(settings.visit as usize - 1) else { return };
    let [a, b] = visit.nodes;
    let levels =
        [0, 1].map(|side| trees.nodes(side).get(visit.nodes[side] as usize).map_or(0, |node| node.level));
    ui.label(format!(
        "Visit {} of {last}: node {a} of A (level {}) and {b} of B (level {})",
        settings.visit, levels[0], levels[1]
    ));
    ui.label(trees::says(visit.fate, trees::items(settings.system)));
    let (now, all) = (trees.counts(settings.visit as usize), trees.counts(usize::MAX));
    let effort = desk.answers.effort;
    Grid::new("counts").num_columns(3).striped(true).show(ui, |ui| {
        ui.weak("");
        ui.weak("so far");
        ui.weak("in all");
        ui.end_row();
        let of = |counts: &Counts| {
            [counts.visits, counts.pruned, counts.opened, counts.leaves, counts.triangle_tests, counts.hits]
        };
        let items = format!("pairs of {}", trees::items(settings.system));
        let names = ["pairs of nodes", "pruned", "opened", "leaves", items.as_str(), "that meet"];
        for ((name, now), all) in names.into_iter().zip(of(&now)).zip(of(&all)) {
            ui.label(name);
            ui.label(now.to_string());
            ui.label(all.to_string());
            ui.end_row();
        }
    });
    ui.label(format!(
        "The engine, for its own question: {} nodes of eight boxes, {} pairs of triangles",
        effort.nodes, effort.triangles
    ));
}

/// First, back, next, last.
fn step_buttons(ui: &mut Ui, at: &mut u32, last: u32) {
    ui.horizontal(|ui| {
        for (name, to) in [
            ("First", 1),
            ("Back", stepped(*at, false, last)),
            ("Next", stepped(*at, true, last)),
            ("Last", last),
        ] {
            if ui.add_enabled(*at != to, Button::new(name)).clicked() {
                *at = to;
            }
        }
    });
}
