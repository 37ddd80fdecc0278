//! The whole story, offline, with a scripted model.
