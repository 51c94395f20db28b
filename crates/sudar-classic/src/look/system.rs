//! The systems that one can look into.

/// A classic system with hierarchies of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum System {
    /// Spheres over octants (O'Sullivan and Dingliana 1999).
    SphereTree,
    /// Boxes along the axes of the body (van den Bergen 1997).
    Solid,
    /// Oriented boxes (Gottschalk, Lin and Manocha 1996).
    Rapid,
    /// k-DOPs of 6 faces, the first mesh as the environment (Klosowski et al. 1998).
    QuickCd6,
    /// The same of 14.
    QuickCd14,
    /// The same of 18.
    QuickCd18,
    /// The same of 26.
    QuickCd26,
    /// 18-DOPs over convex patches (Daneu 2002).
    Cd,
    /// Hulls over convex pieces (Ehmann and Lin 2001); a search for the distance.
    Swift,
    /// Boxes along the axes as ColDet builds them (Geva 2000).
    ColDet,
    /// Boxes bottom-up over convex parts; of two parts the nearest features (Cohen, Lin, Manocha and Ponamgi 1995); a
    /// search for the distance.
    ICollide,
    /// The same boxes; of two parts a separating vector (Chung 1996). Ends at the first parts that collide.
    QCollide,
}

impl System {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::SphereTree,
        Self::Solid,
        Self::Rapid,
        Self::QuickCd6,
        Self::QuickCd14,
        Self::QuickCd18,
        Self::QuickCd26,
        Self::Cd,
        Self::Swift,
        Self::ColDet,
        Self::ICollide,
        Self::QCollide,
    ];

    /// A short name in lower case, such as `quickcd-18`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SphereTree => "sphere-tree",
            Self::Solid => "solid",
            Self::Rapid => "rapid",
            Self::QuickCd6 => "quickcd-6",
            Self::QuickCd14 => "quickcd-14",
            Self::QuickCd18 => "quickcd-18",
            Self::QuickCd26 => "quickcd-26",
            Self::Cd => "cd",
            Self::Swift => "swift",
            Self::ColDet => "coldet",
            Self::ICollide => "i-collide",
            Self::QCollide => "q-collide",
        }
    }
}
