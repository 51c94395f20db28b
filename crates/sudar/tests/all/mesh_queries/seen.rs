//! What was seen of single meshes, class by class.

use super::count::Tally;

/// What was seen of one class.
#[derive(Default, Clone, Copy)]
pub struct Seen {
    pub faults: usize,
    pub meshes: usize,
    pub rays: usize,
    pub ray_hits: usize,
    pub from_inside: usize,
    pub windings: usize,
    pub on_surface: usize,
    pub undecided: usize,
    pub widest_winding: f64,
    pub asked: usize,
    pub touching: usize,
    pub open: usize,
    pub along: usize,
    pub along_deep: usize,
    pub along_wide: usize,
    pub dives: usize,
    pub dives_deep: usize,
    pub cut_short: usize,
}

impl Seen {
    fn columns(&self) -> [(&'static str, usize); 16] {
        [
            ("meshes", self.meshes),
            ("rays", self.rays),
            ("from inside", self.from_inside),
            ("hits", self.ray_hits),
            ("windings", self.windings),
            ("on the surface", self.on_surface),
            ("undecided", self.undecided),
            ("triangles asked", self.asked),
            ("touching", self.touching),
            ("open", self.open),
            ("along an axis", self.along),
            ("deep", self.along_deep),
            ("wide", self.along_wide),
            ("of the surface", self.dives),
            ("deep", self.dives_deep),
            ("cut short", self.cut_short),
        ]
    }
}

impl Tally for Seen {
    fn fault(&mut self) {
        self.faults += 1;
    }

    fn faults(&self) -> usize {
        self.faults
    }

    fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        self.meshes += other.meshes;
        self.rays += other.rays;
        self.ray_hits += other.ray_hits;
        self.from_inside += other.from_inside;
        self.windings += other.windings;
        self.on_surface += other.on_surface;
        self.undecided += other.undecided;
        self.widest_winding = self.widest_winding.max(other.widest_winding);
        self.asked += other.asked;
        self.touching += other.touching;
        self.open += other.open;
        self.along += other.along;
        self.along_deep += other.along_deep;
        self.along_wide += other.along_wide;
        self.dives += other.dives;
        self.dives_deep += other.dives_deep;
        self.cut_short += other.cut_short;
    }

    fn head() -> String {
        let names: Vec<_> = Self::default().columns().iter().map(|(name, _)| *name).collect();
        names.join(" | ")
    }

    fn row(&self) -> String {
        let numbers: Vec<_> = self.columns().iter().map(|(_, number)| number.to_string()).collect();
        numbers.join(" | ")
    }
}
