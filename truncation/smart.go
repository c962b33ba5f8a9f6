package truncation

// smart keeps what matters most for the kind of text.
func smart(src source, opts Options) Result { return fallBack(Smart, src, opts) }
