//! Entry points of the fuzz targets.
pub mod entry;
