package truncation

// element keeps the first and the last elements.
func element(src source, opts Options) Result { return fallBack(Element, src, opts) }
