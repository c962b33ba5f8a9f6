package text

// SplitWide indexes text as Split does one of 4 GiB or more.
func SplitWide(text string) Lines { return splitWide(text) }
