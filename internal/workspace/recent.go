package workspace

import "strings"

// This file spares the hashing and splitting of files that hold what they held
// when they were read before. They are read nevertheless: no date and no size
// says that a file is the same.

// recent is a document as it was read from the disk, without what changes.
type recent struct {
	content  string // with its byte order mark
	document Document
}

// maxRecent is how many bytes of text are remembered. What is larger is read
// by lines, if at all, and not often.
const maxRecent = 4 << 20

// remember keeps a document that was just read. The caller holds h.mu.
func (h *Hub) remember(name, content string, d Document) {
	h.recentSize -= len(h.recent[name].content)
	delete(h.recent, name)
	if len(content) > maxRecent {
		return
	}
	if h.recentSize+len(content) > maxRecent {
		clear(h.recent)
		h.recentSize = 0
	}
	h.recent[name] = recent{content, d}
	h.recentSize += len(content)
}

// comparison takes what is written to it, and keeps it only from where it is no
// more the known text.
type comparison struct {
	known string
	size  int // bytes that are expected; 0 if unknown

	same    int // bytes that are as known
	differs bool
	b       strings.Builder
}

// Write implements [io.Writer]. It does not fail.
func (c *comparison) Write(p []byte) (int, error) {
	end := c.same + len(p)
	if !c.differs && end <= len(c.known) && c.known[c.same:end] == string(p) {
		c.same = end
		return len(p), nil
	}
	c.depart()
	return c.b.Write(p)
}

func (c *comparison) depart() {
	if !c.differs {
		c.differs = true
		c.b.Grow(c.size)
		c.b.WriteString(c.known[:c.same])
	}
}

// equal reports whether all of the known text was written, which is not empty.
func (c *comparison) equal() bool {
	return !c.differs && c.same == len(c.known) && c.known != ""
}

// String returns all that was written. It shares nothing with the known text.
func (c *comparison) String() string {
	c.depart()
	return c.b.String()
}
