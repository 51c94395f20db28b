//! Relations of what the queries say of two bodies in lists, and with the bodies swapped.

use sudar::Interval;
use sudar::query::{
    Contact, DistanceOptions, contacts, distance, intersects, local_minima, manifold, penetration,
    triangles_touching,
};

use crate::bodies::Style;
use crate::cases::Case;
use crate::pairs::{Judge, OPEN};
use crate::replay::Asked;

impl Judge<'_> {
    /// Contacts, manifolds, minima and triangles.
    pub fn lists(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let (meet, apart) = (self.meet, self.apart);
        let pairs = contacts(a.at(pose_a), b.at(pose_b));
        let agree = pairs.is_empty() || meet.is_touching();
        self.hold("contacts are of what intersects", Asked::Contacts, agree, || {
            format!("{pairs:?} {meet:?}")
        });
        let solid = [a, b].iter().any(|body| body.solid().is_some());
        if a.mesh().is_some() && b.mesh().is_some() && !solid {
            let agree = pairs.is_empty() != meet.is_touching();
            self.hold("surfaces that intersect have contacts", Asked::Contacts, agree, || {
                format!("{pairs:?} {meet:?}")
            });
        }
        let touching = triangles_touching(a.at(pose_a), b.at(pose_b));
        // Triangles that a round body comes near within rounding are listed too.
        let near = self.case.is_round() && apart.interval.upper <= OPEN * self.case.size;
        let agree = touching.is_empty() || meet.decided() != Some(false) || near;
        self.hold("triangles touch what intersects", Asked::Intersects, agree, || {
            format!("{touching:?} {meet:?}")
        });
        self.manifolds();
        if apart.interval.upper < 10.0 * self.case.size {
            self.minima(1.5 * apart.interval.upper);
        }
    }

    fn manifolds(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let (meet, apart, deep) = (self.meet, self.apart, self.deep);
        let slack = self.slack().max(OPEN * self.case.size);
        let for_ever = !deep.signed.lower.is_finite();
        for margin in [0.0, 1.5 * apart.interval.upper, 0.01 * self.case.size] {
            let asked = Asked::Manifold(margin);
            let list = manifold(a.at(pose_a), b.at(pose_b), margin);
            let said = || format!("{list:?}, {meet:?}, {:?}", apart.interval);
            let far = list.is_empty() || apart.interval.lower <= margin + slack;
            self.hold("a manifold is of what is within its margin", asked, far, said);
            let within = meet.is_touching() || (meet.decided().is_some() && apart.interval.upper <= margin);
            let near = !list.is_empty() || for_ever || !within;
            self.hold("what is within the margin has a manifold", asked, near, said);
            let good = |c: &Contact| {
                let between = (c.point_b - c.point_a).dot(c.normal);
                (c.normal.length() - 1.0).abs() < 1e-9
                    && c.depth >= -margin - slack
                    && (between + c.depth).abs() <= slack
                    && self.on_bodies(c.point_a, c.point_b, slack)
            };
            // Contacts of bodies far apart, if the margin is as large, are rougher.
            let all = margin > 0.1 * self.case.size || list.iter().all(good);
            self.hold("contacts are pairs of points of the bodies", asked, all, said);
        }
    }

    fn minima(&mut self, tolerance: f64) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let (apart, asked) = (self.apart, Asked::LocalMinima(tolerance));
        let found = local_minima(a.at(pose_a), b.at(pose_b), tolerance);
        let said = || format!("{:?}, {apart:?}", found.first());
        let least = found
            .iter()
            .map(|m| m.interval)
            .reduce(|m, n| Interval { lower: m.lower.min(n.lower), upper: m.upper.min(n.upper) });
        // What lies inside another part of a compound is none, also if that part is the same once more.
        let doubled = self.case.style == Style::Repeated && [a, b].iter().any(|x| !x.parts().is_empty());
        let agree = doubled
            || least.map_or(apart.interval.upper >= tolerance, |least| self.join(least, apart.interval));
        self.hold("the least minimum is the distance", asked, agree, said);
        let on = found.iter().all(|m| {
            let slack = self.slack_of(m.interval.upper);
            self.on_bodies(m.point_a, m.point_b, slack)
        });
        self.hold("points of minima are on the bodies", asked, on, said);
    }

    pub fn swapped(&mut self) {
        let other = self.case.swapped();
        let Case { a, pose_a, b, pose_b, .. } = &other;
        let (meet, apart, deep) = (self.meet, self.apart, self.deep);
        let there = intersects(a.at(pose_a), b.at(pose_b));
        let open = meet.decided().is_none() || there.decided().is_none();
        let agree = if open { self.case.is_round() } else { there.decided() == meet.decided() };
        self.hold("intersects is the same swapped", Asked::Intersects, agree, || {
            format!("{meet:?} {there:?}")
        });
        let far = distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT);
        let agree = self.join(far.interval, apart.interval);
        self.hold("distances swapped meet", Asked::Distance(DistanceOptions::EXACT), agree, || {
            format!("{apart:?} {far:?}")
        });
        let back = penetration(a.at(pose_a), b.at(pose_b));
        let agree = self.join(back.signed, deep.signed);
        self.hold("depths swapped meet", Asked::Penetration, agree, || format!("{deep:?} {back:?}"));
        let turned = contacts(a.at(pose_a), b.at(pose_b));
        let mut mirrored: Vec<_> = turned.into_iter().map(|[i, j]| [j, i]).collect();
        mirrored.sort_unstable();
        let own = contacts(b.at(pose_b), a.at(pose_a));
        self.hold("contacts swapped are mirrored", Asked::Contacts, own == mirrored, || {
            format!("{own:?} {mirrored:?}")
        });
        let lists = [manifold(a.at(pose_a), b.at(pose_b), 0.0), manifold(b.at(pose_b), a.at(pose_a), 0.0)];
        let agree = lists[0].is_empty() == lists[1].is_empty() || open;
        self.hold("manifolds swapped are both empty or neither", Asked::Manifold(0.0), agree, || {
            format!("{lists:?}")
        });
    }
}
