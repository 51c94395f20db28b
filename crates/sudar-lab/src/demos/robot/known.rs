//! What is known of the robot and its way, computed when something has changed.

use sudar_robot::{Other, SignedDistance};

use super::search::Search;
use super::settings::Settings;
use super::site::{Configuration, Site};
use super::way::{Straight, Way, distances};
use crate::clock::Clock;
use crate::demo::DemoError;

/// What is known of the robot as it stands, and of its way.
#[derive(Default)]
pub struct Known {
    /// For which settings all of this is.
    asked: Option<Settings>,
    pub now: Configuration,
    /// What each part that moves is nearest to, or deepest in.
    pub nearest: Vec<Option<SignedDistance>>,
    pub straight: Option<Straight>,
    pub search: Search,
    /// The way that the robot goes; of one waypoint where none is found.
    pub way: Option<Way>,
    /// Milliseconds that the clearances, the check of the straight way and the last search took, if there is a clock.
    pub times: [f64; 3],
}

impl Known {
    /// Computes what is due.
    pub fn refresh(&mut self, site: &Site, settings: &Settings, clock: Clock) -> Result<(), DemoError> {
        let before = self.asked.replace(settings.clone());
        let is_moved = before.as_ref().is_none_or(|before| before.poses != settings.poses);
        if is_moved {
            let (straight, took) = clock.timed(|| Straight::new(site, &settings.poses));
            (self.straight, self.times[1]) = (Some(straight?), took * 1e3);
        }
        let mut is_new = is_moved || before.as_ref().is_none_or(|before| before.plans != settings.plans);
        if settings.plans {
            let (found, took) = clock.timed(|| self.search.advance(site, &settings.poses, settings.tries));
            if found {
                (is_new, self.times[2]) = (true, took * 1e3);
            }
        }
        if is_new {
            self.way = Some(Way::new(site, &self.waypoints(settings))?);
        }
        if is_new || before.is_none_or(|before| before.along != settings.along) {
            self.now = self.way.as_ref().map_or(settings.poses[0].clone(), |way| way.at(settings.along));
            let (all, took) = clock.timed(|| distances(site, &self.now));
            self.nearest = nearest(site, &all?);
            self.times[0] = took * 1e3;
        }
        Ok(())
    }

    /// The path that was found last, be it between the poses of a moment ago; else the robot stays where it begins.
    fn waypoints(&self, settings: &Settings) -> Vec<f64> {
        match (&self.search.best, &self.straight) {
            (Some(plan), _) if settings.plans => plan.waypoints.clone(),
            (_, Some(straight)) if !settings.plans => straight.ends.concat(),
            _ => settings.poses[0].clone(),
        }
    }

    /// The nearest of all.
    pub fn least(&self) -> Option<&SignedDistance> {
        self.nearest.iter().flatten().min_by(|a, b| a.signed.upper.total_cmp(&b.signed.upper))
    }

    /// What the straight way is, in a line.
    pub fn says_straight(&self, site: &Site) -> Option<String> {
        let straight = self.straight.as_ref()?;
        Some(match &straight.contact {
            None if straight.answer.is_free() => "straight way: free at every moment".to_owned(),
            None => format!("straight way: free until {:.4}, not decided after", straight.free_until()),
            Some((_, found)) => {
                let (part, other) = (site.part(found.part), site.cell.name_of(found.other));
                format!("straight way: free until {:.4}; then {part} touches {other}", straight.free_until())
            }
        })
    }
}

/// For each part that moves the least of its distances.
fn nearest(site: &Site, all: &[SignedDistance]) -> Vec<Option<SignedDistance>> {
    let mut nearest: Vec<Option<SignedDistance>> = vec![None; site.cell.parts().len()];
    let mut keep = |found: SignedDistance| {
        if site.still[found.part] {
            return;
        }
        let best = &mut nearest[found.part];
        if best.as_ref().is_none_or(|best| found.signed.upper < best.signed.upper) {
            *best = Some(found);
        }
    };
    for found in all {
        if let Other::Part(other) = found.other {
            let (point, other_point, normal) = (found.other_point, found.point, -found.normal);
            let part = Other::Part(found.part);
            keep(SignedDistance { part: other, other: part, point, other_point, normal, ..found.clone() });
        }
        keep(found.clone());
    }
    nearest
}

/// A sentence about what is near.
pub fn says(site: &Site, near: &SignedDistance) -> String {
    let (part, other) = (site.part(near.part), site.cell.name_of(near.other));
    if near.signed.upper <= 0.0 {
        return format!("{part} touches {other}");
    }
    format!("{part} to {other}: {:.6} m", near.signed.upper)
}
