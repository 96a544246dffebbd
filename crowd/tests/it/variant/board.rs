//! What a browser is given of a variant, and that nothing of it depends on which moves are legal.
