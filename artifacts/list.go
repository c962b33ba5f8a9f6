package artifacts

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// List returns the artifacts of a session, or of all if session is "", in the
// order in which they were made: at most limit, or all if limit is not
// positive, after those that led to cursor. The cursor for what follows is ""
// at the end. It stays good when artifacts come and go; one that List did not
// return is a *CursorError. Damaged artifacts are left out.
func (s *Store) List(session, cursor string, limit int) (infos []Info, next string, err error) {
	after, err := parseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	infos, err = s.list(session, after)
	if err != nil {
		return nil, "", fmt.Errorf("listing artifacts: %w", err)
	}
	if 0 < limit && limit < len(infos) {
		infos = infos[:limit]
		next = position{infos[limit-1].Created, infos[limit-1].ID}.cursor()
	}
	return infos, next, nil
}

func (s *Store) list(session string, after position) ([]Info, error) {
	d, err := s.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.names()
	if err != nil {
		return nil, named(s.opts.Folder, err)
	}
	contents := map[string]bool{}
	for _, name := range names {
		contents[name] = true
	}
	var infos []Info
	for _, name := range names {
		k, id := classify(name)
		if k != sidecarName {
			continue
		}
		// Read anew: what was read for counting may have been changed since.
		side, err := s.readSidecar(d, id)
		if err != nil || side.Evicted || !contents[side.contentName()] || session != "" && session != side.Session {
			continue
		}
		if after.before(position{side.Created, id}) {
			infos = append(infos, s.info(side))
		}
	}
	slices.SortFunc(infos, func(a, b Info) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return infos, nil
}

// ModTime returns when artifacts last came or went, by whatever process, and the
// zero time if there is no folder. It is cheap, and may be wrong about more.
func (s *Store) ModTime() time.Time {
	info, err := s.root.Stat(s.opts.Folder)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Cursor returns the cursor for what follows an artifact in a list.
func Cursor(i Info) string { return position{i.Created, i.ID}.cursor() }

// position is a place in the list, which is there without its artifact.
type position struct {
	created time.Time
	id      string
}

func (p position) before(q position) bool {
	return p.id == "" || cmp.Or(p.created.Compare(q.created), cmp.Compare(p.id, q.id)) < 0
}

func (p position) cursor() string { return base64.RawURLEncoding.EncodeToString([]byte(p.id)) }

func parseCursor(cursor string) (position, error) {
	if cursor == "" {
		return position{}, nil
	}
	id, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	created, ok := idTime(string(id))
	if err != nil || !ok {
		return position{}, &CursorError{Cursor: cursor}
	}
	return position{created, string(id)}, nil
}
