//! The five documents that the classic methods are taken from: one table that all names of authors come from.

/// A thesis or a lecture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Given name and surname.
    pub author: &'static str,
    /// By which sentences name it: the surname, and the year where there is one.
    pub key: &'static str,
    /// In English.
    pub title: &'static str,
    /// As it stands on its first page.
    pub original: &'static str,
    /// What it is, where it was written and in which language.
    pub place: &'static str,
}

/// Seven systems, a library of its own, and a game of bumper cars.
pub const DANEU: Source = Source {
    author: "Aleš Daneu",
    key: "Daneu 2002",
    title: "Algorithms for collision detection",
    original: "Algoritmi za odkrivanje trkov",
    place: "Diploma thesis, University of Ljubljana, Faculty of Computer and Information Science. In Slovene",
};

/// Convex bodies: hulls, boxes around them, GJK and the method of Chung and Wang.
pub const HUOTARI: Source = Source {
    author: "Marko Huotari",
    key: "Huotari 2011",
    title: "Collision detection in a 3D environment",
    original: "Törmäyksen tunnistus 3D-ympäristössä",
    place: "Bachelor's thesis. In Finnish",
};

/// Broad phases, and an explorer of them.
pub const DIMITRIJEVIC: Source = Source {
    author: "Nikola Dimitrijević",
    key: "Dimitrijević 2019",
    title: "Real-time collision detection algorithms",
    original: "Algoritmi za otkrivanje kolizije u realnom vremenu",
    place: "Master's thesis, University of Belgrade, Faculty of Mathematics. In Serbian",
};

/// Rays, boxes and hierarchies.
pub const PANDZIC: Source = Source {
    author: "Igor S. Pandžić",
    key: "Pandžić",
    title: "Intersection and collision detection",
    original: "Osnove virtualnih okruženja: Detekcija presjeka i sudara",
    place: "Lecture, University of Zagreb. In Croatian",
};

/// Mass, impacts, and a flight through a tunnel.
pub const MASTERA: Source = Source {
    author: "Petr Maštera",
    key: "Maštera 2007",
    title: "Simulation of collisions on a physical model",
    original: "Simulace kolizí na základě fyzikálního modelu",
    place: "Diploma thesis, Brno University of Technology, Faculty of Information Technology. In Czech",
};

/// All of them.
pub const ALL: [&Source; 5] = [&DANEU, &HUOTARI, &DIMITRIJEVIC, &PANDZIC, &MASTERA];

impl Source {
    /// Its author with the given name, and the year.
    pub fn name(&self) -> String {
        let year = self.key.split_once(' ').map_or("", |(_, year)| year);
        format!("{} {year}", self.author).trim_end().to_owned()
    }

    /// The same, and the title.
    pub fn citation(&self) -> String {
        format!("{}, \"{}\"", self.name(), self.title)
    }
}

/// A text with the keys of sources in braces, these replaced by something of the source.
///
/// ```
/// use sudar_classic::sources::{Source, spelled};
///
/// assert_eq!(spelled("{Daneu 2002}, chapter 1", Source::name), "Aleš Daneu 2002, chapter 1");
/// ```
pub fn spelled(text: &str, with: impl Fn(&Source) -> String) -> String {
    ALL.iter()
        .fold(text.to_owned(), |text, source| text.replace(&format!("{{{}}}", source.key), &with(source)))
}
