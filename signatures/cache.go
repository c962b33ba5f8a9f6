package signatures

// cache keeps what was used lately, up to about a number of bytes. It holds
// two generations: when the young one has half of the bytes, it becomes the
// old one, and what was old and is not asked for again is dropped. The zero
// value has no room. It is not safe for concurrent use.
type cache[V any] struct {
	limit      int // bytes of both generations together, as add was told
	young, old map[key]sized[V]
	size       int // bytes of the young generation
}

// key identifies a text in a language by its hash. A seed that is drawn anew
// for each Finder keeps anyone from making two texts with one key.
type key struct {
	lang   Language
	length int
	hash   uint64
}

type sized[V any] struct {
	value V
	size  int
}

func (c *cache[V]) get(k key) (value V, ok bool) {
	if v, ok := c.young[k]; ok {
		return v.value, true
	}
	v, ok := c.old[k]
	if ok {
		c.add(k, v.value, v.size)
	}
	return v.value, ok
}

// add keeps value, which takes about size bytes.
func (c *cache[V]) add(k key, value V, size int) {
	if _, ok := c.young[k]; ok || size > c.limit/2 {
		return
	}
	if c.size+size > c.limit/2 {
		c.old, c.young, c.size = c.young, nil, 0
	}
	if c.young == nil {
		c.young = make(map[key]sized[V])
	}
	c.young[k] = sized[V]{value, size}
	c.size += size
}
