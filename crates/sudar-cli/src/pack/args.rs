//! The arguments of `sudar pack`, and their help.

use std::path::PathBuf;

use crate::common::ModelArgs;
use crate::help;

/// Packs models into a scene store, a folder that opens in milliseconds and is read wherever files are.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Files with parts; folders, of which every model file is read in the order of names; scene files (.toml) that say
    /// where each model stands; stores.
    #[arg(value_name = "FILE", required = true)]
    pub(super) scenes: Vec<PathBuf>,
    /// The store to write, a folder; its name should end in .sudar. A store that is there is replaced.
    #[arg(short, long, value_name = "SCENE.sudar")]
    pub(super) out: PathBuf,
    /// Write a revision of the store that is there: meshes that it has already are not written again.
    #[arg(long)]
    pub(super) update: bool,
    /// Read folders with all folders below.
    #[arg(short, long)]
    pub(super) recursive: bool,
    /// End at the first file that cannot be read, instead of packing the others.
    #[arg(long)]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) common: ModelArgs,
}

const HELP: &str = "\
A store has the parts of all files where they stand, in one unit (that of --units, otherwise of the first file, if all
say one), welded if that was wanted. Meshes are stored once, by a checksum of their vertices and triangles, each with its
tree and whether it is closed. clash of a store says the same as of its files, to the last bit.

clash, check, info, convert, mass, ray, robot --scene and Python take a store wherever they take a file. Clouds of points
are not packed. Options that change how files are read (--units, --scale, --weld, --deflection, --ifc-include) belong to
pack: a store is what they made of the files.

The store is written aside and takes its place when it is whole: who has it open goes on with the old one. With --update
new meshes come in files of their own and the others stay; what no part needs any more stays until it is packed without.

JSON: {\"store\",\"parts\",\"meshes\":{\"new\",\"kept\"},\"triangles\",\"mesh_triangles\",\"bytes\",\"unused_bytes\",\"revision\",
       \"fingerprint\":32 hexadecimal digits, the same for the same contents,\"notes\":[],\"failed\":[{\"file\",\"error\"}],\"lost\":n}

Exit status: 0, or 2 if a file, or an element of one, could not be read; the others are packed, and the store names
those, unless none is left.

Examples:
  sudar pack house.ifc pipes.ifc -o house.sudar
  sudar pack parts/ --recursive --units mm -o plant.sudar --update
  sudar clash house.sudar --clearance 20mm";
