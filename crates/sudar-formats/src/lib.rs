//! Files to meshes and assemblies, and back.
