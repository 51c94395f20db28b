"""Stand-ins for other libraries: `sudar.compat.trimesh` for `trimesh.collision`, `sudar.compat.fcl` for python-fcl."""
