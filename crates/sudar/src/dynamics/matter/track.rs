//! A flight that is looked at often.

use std::ops::Deref;
use std::sync::OnceLock;

use glam::{DQuat, DVec3};

use super::flight::Flight;
use super::inertia::Spin;
use super::rotation::{Piece, longest_piece};
use super::state::BodyState;

/// A flight up to a time, with the series of its rotation kept piece by piece once they are known. Where a
/// body is does not depend on earlier calls.
#[derive(Debug)]
pub struct Track<'i> {
    flight: Flight<'i>,
    momentum: DVec3,
    /// The time of a piece.
    length: f64,
    /// Terms in powers of the share of a piece.
    pieces: Vec<OnceLock<Box<[DQuat]>>>,
}

/// Most pieces that are kept; faster bodies are computed anew each time.
const MOST: f64 = 4096.0;

impl<'i> Track<'i> {
    /// The flight, up to a time.
    pub fn new(flight: Flight<'i>, until: f64) -> Self {
        let is_general = matches!(flight.inertia.spin, Spin::General) && flight.inertia.is_free();
        let BodyState { rotation, angular_velocity, .. } = flight.from;
        let momentum = flight.inertia.spun(rotation, angular_velocity);
        let length = longest_piece(flight.inertia, momentum);
        let count = (flight.spinning_time(until - flight.start).1 / length).ceil();
        let kept = is_general && flight.torque == DVec3::ZERO && (1.0..=MOST).contains(&count);
        let count = if kept { count as usize } else { 0 };
        Self { flight, momentum, length, pieces: std::iter::repeat_with(OnceLock::new).take(count).collect() }
    }

    /// The motion at a time, not before the start.
    pub fn at(&self, time: f64) -> BodyState {
        let t = time - self.flight.start;
        if self.pieces.is_empty() || t == 0.0 {
            return self.flight.at(time);
        }
        let (shrunk, spun) = self.flight.spinning_time(t);
        let number = ((spun / self.length) as usize).min(self.pieces.len() - 1);
        let share = spun / self.length - number as f64;
        let inertia = self.flight.inertia;
        let rotation = (after(self.piece(number), share) * inertia.axes.inverse()).normalize();
        let angular_velocity = inertia.unspun(rotation, self.momentum * shrunk);
        let (center, velocity) = self.flight.center_at(time);
        BodyState { center, rotation, velocity, angular_velocity }
    }

    fn piece(&self, number: usize) -> &[DQuat] {
        let known = (0..=number).rev().find_map(|k| Some((k, self.pieces[k].get()?)));
        let (mut at, mut piece) = known.unwrap_or_else(|| {
            let q = self.flight.from.rotation * self.flight.inertia.axes;
            (0, self.pieces[0].get_or_init(|| self.begin(q)))
        });
        while at < number {
            at += 1;
            let q = after(piece, 1.0);
            piece = self.pieces[at].get_or_init(|| self.begin(q));
        }
        piece
    }

    fn begin(&self, q: DQuat) -> Box<[DQuat]> {
        Piece::new(self.flight.inertia, q, self.momentum, self.length).terms().into()
    }
}

/// The rotation after a share of a piece.
fn after(terms: &[DQuat], share: f64) -> DQuat {
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    terms.iter().rev().fold(zero, |sum, term| sum * share + *term).normalize()
}

impl<'i> Deref for Track<'i> {
    type Target = Flight<'i>;

    fn deref(&self) -> &Flight<'i> {
        &self.flight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::matter::Inertia;
    use glam::DMat3;

    #[test]
    fn a_track_is_its_flight_whatever_was_looked_at_before() {
        let inertia = Inertia::new(2.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::new(3.0, 2.0, 1.0)));
        for drag in [0.0, 0.7] {
            let from = BodyState {
                center: DVec3::X,
                rotation: DQuat::IDENTITY,
                velocity: DVec3::Y,
                angular_velocity: DVec3::new(3.0, 20.0, -1.0),
            };
            let flight = Flight { drag: [drag; 2], ..Flight::free(&inertia, from, 0.5) };
            let track = Track::new(flight, 2.5);
            let later = track.at(2.5);
            for i in 0..=50 {
                let time = 0.5 + 0.04 * f64::from(i);
                let (near, far) = (track.at(time), flight.at(time));
                assert!((near.rotation.dot(far.rotation).abs() - 1.0).abs() < 1e-14);
                let off = (near.angular_velocity - far.angular_velocity).length();
                assert!(off < 1e-11, "{off}");
                assert_eq!(near, Track::new(flight, 2.5).at(time));
            }
            assert_eq!(later, track.at(2.5));
        }
    }
}
