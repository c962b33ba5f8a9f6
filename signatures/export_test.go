package signatures

// Pieces returns the parts of content that are parsed by themselves.
func Pieces(content string, lang Language) []string {
	var parts []string
	for _, p := range newOutline(content, lang).pieces {
		parts = append(parts, content[p.start:p.end])
	}
	return parts
}
