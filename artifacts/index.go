package artifacts

import (
	"bufio"
	"compress/gzip"
	"io"
	"sort"
	"unsafe"

	"github.com/acode-ls/acode-ls/internal/text"
)

const blockSize = 64 << 10 // bytes

// index says of content how many lines its blocks have, so that a line is found
// by reading one block. Written to, it takes in what is written.
type index struct {
	size    int64
	ended   int   // lines that ended so far, a CR at the end ending one
	before  []int // by block: ended before it
	last    byte
	members []member // of compressed content
}

// member is content compressed on its own.
type member struct {
	start  int64 // its first byte in the content
	stored int64 // its first byte on disk
}

func (x *index) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		in := int(x.size % blockSize)
		if in == 0 {
			x.before = append(x.before, x.ended)
		}
		piece := p[:min(len(p), blockSize-in)]
		x.ended += text.LineEnds(unsafe.String(unsafe.SliceData(piece), len(piece)))
		if x.last == '\r' && piece[0] == '\n' {
			x.ended-- // it belongs to the CR, which was counted
		}
		x.last = piece[len(piece)-1]
		x.size += int64(len(piece))
		p = p[len(piece):]
	}
	return written, nil
}

func (x *index) lines() int {
	if x.size > 0 && x.last != '\n' && x.last != '\r' {
		return x.ended + 1
	}
	return x.ended
}

// readAt returns the bytes of the content from start to end.
type readAt func(start, end int64) (string, error)

// lineStart returns where line n starts, 1 <= n <= lines()+1.
func (x *index) lineStart(n int, read readAt) (int64, error) {
	if n == 1 {
		return 0, nil
	}
	if n > x.lines() {
		return x.size, nil
	}
	block := sort.Search(len(x.before), func(i int) bool { return x.before[i] >= n-1 }) - 1
	// One byte more: the line may end with a CRLF across the edge.
	base, window, err := x.window(block, int64(block+1)*blockSize+1, read)
	if err != nil {
		return 0, err
	}
	lines := text.Split(window)
	k := min(n-x.before[block], lines.Len()+1) // as it is, unless the file changed
	return base + int64(lines.Start(k)), nil
}

// lineAt returns the line that holds the byte at offset.
func (x *index) lineAt(offset int64, read readAt) (int, error) {
	block := int(offset / blockSize)
	base, window, err := x.window(block, offset+2, read)
	if err != nil {
		return 0, err
	}
	if offset < base { // the LF of a CRLF
		return x.before[block], nil
	}
	return x.before[block] + text.Split(window).LineAt(int(offset-base)), nil
}

// window returns the content from the start of a block to end, without an LF
// that ends a line together with the block before, and where that starts.
func (x *index) window(block int, end int64, read readAt) (int64, string, error) {
	base := int64(block) * blockSize
	end = min(end, x.size)
	if block == 0 {
		window, err := read(base, end)
		return base, window, err
	}
	window, err := read(base-1, end)
	if err != nil {
		return 0, "", err
	}
	if window[0] == '\r' && window[1] == '\n' {
		return base + 1, window[2:], nil
	}
	return base, window[1:], nil
}

// copyMembers writes the content of compressed files to w, at most limit bytes
// and one, and notes where the members are.
func (x *index) copyMembers(w io.Writer, r io.Reader, limit int64) error {
	source := &countingReader{r: bufio.NewReaderSize(r, bufferSize)}
	var zip *gzip.Reader
	for start := int64(0); start <= limit; {
		at := member{start, source.n}
		var err error
		if zip == nil {
			zip, err = gzip.NewReader(source)
		} else {
			err = zip.Reset(source)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		zip.Multistream(false)
		x.members = append(x.members, at)
		n, err := io.Copy(w, io.LimitReader(zip, limit-start+1))
		if err != nil {
			return err
		}
		start += n
	}
	return nil
}

// memberAt returns the member that holds the byte at offset of the content.
func (x *index) memberAt(offset int64) member {
	i := sort.Search(len(x.members), func(i int) bool { return x.members[i].start > offset })
	if i == 0 {
		return member{}
	}
	return x.members[i-1]
}

// countingReader counts what is read. As it reads bytes, the decompressor takes
// no more than it needs.
type countingReader struct {
	r *bufio.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countingReader) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
