//! Several attempts at one card, compared by proof.
