//! Golden scripts and differential runs: the model and a real Redis side by side.
