package artifacts

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/text"
)

const (
	sidecarVersion = 1
	maxSidecar     = 64 << 10 // bytes

	// So long at most, in characters, that the sidecar stays below maxSidecar.
	maxSession = 512
	maxSource  = 4096
	maxField   = 512
)

// sidecar is what is written about an artifact. Its fields match the keys of
// the file but for the case of letters.
type sidecar struct {
	Version    int
	ID         string
	Session    string
	Owner      string // "" if detached
	Tool       string
	Type       string
	Source     string
	Origin     string
	Summary    string
	Created    time.Time
	Size       int64
	Characters int64
	Lines      int
	SHA256     string
	Gzip       bool
	Stored     int64 // bytes on disk
	Evicted    bool  // the content is gone to make room
	MAC        string
}

func (c sidecar) contentName() string { return c.ID + extension(c.Type) }

// encode returns the one form a sidecar is written in: without a key, the MAC
// that it has.
func (c sidecar) encode() ([]byte, error) {
	var b bytes.Buffer
	for i, field := range []struct {
		key   string
		value any
	}{
		{"version", c.Version}, {"id", c.ID}, {"session", c.Session}, {"owner", c.Owner},
		{"tool", c.Tool}, {"type", c.Type}, {"source", c.Source}, {"origin", c.Origin}, {"summary", c.Summary},
		{"created", c.Created}, {"size", c.Size}, {"characters", c.Characters}, {"lines", c.Lines},
		{"sha256", c.SHA256}, {"gzip", c.Gzip}, {"stored", c.Stored}, {"evicted", c.Evicted},
		{"mac", c.MAC},
	} {
		value, err := json.Marshal(field.value)
		if err != nil {
			return nil, err
		}
		separator := ",\n  "
		if i == 0 {
			separator = "{\n  "
		}
		fmt.Fprintf(&b, "%s%q: %s", separator, field.key, value)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// sign returns c with its MAC over all other fields, if there is a key.
func (c sidecar) sign(key []byte) (sidecar, error) {
	c.MAC = ""
	if len(key) == 0 {
		return c, nil
	}
	data, err := c.encode()
	if err != nil {
		return c, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(data)
	c.MAC = hex.EncodeToString(mac.Sum(nil))
	return c, nil
}

// decode reads the sidecar of id. An error says what is wrong with it.
func decode(data []byte, id string, key []byte) (sidecar, error) {
	var c sidecar
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return c, errors.New("its description cannot be read")
	}
	if c.Version != sidecarVersion {
		return c, fmt.Errorf("its description has version %d, not %d", c.Version, sidecarVersion)
	}
	// There is one way to write a sidecar, so nothing hides in another.
	if again, err := c.encode(); err != nil || !bytes.Equal(again, data) || !c.consistent(id) {
		return c, errors.New("its description contradicts itself")
	}
	if len(key) > 0 {
		signed, err := c.sign(key)
		if err != nil || !hmac.Equal([]byte(signed.MAC), []byte(c.MAC)) {
			return c, errors.New("its description is not signed with the key")
		}
	}
	return c, nil
}

func (c sidecar) consistent(id string) bool {
	made, _ := idTime(c.ID)
	sum, err := hex.DecodeString(c.SHA256)
	return c.ID == id && c.Created.Equal(made) && checkSession(c.Session) == nil &&
		(c.Owner == "" || isOwner(c.Owner)) &&
		err == nil && len(sum) == sha256.Size && c.SHA256 == strings.ToLower(c.SHA256) &&
		0 <= c.Lines && int64(c.Lines) <= c.Size && 0 <= c.Characters && c.Characters <= c.Size &&
		0 <= c.Stored && (c.Gzip || c.Stored == c.Size)
}

func checkSession(session string) error {
	switch {
	case session == "":
		return errors.New("an artifact needs a session")
	case !utf8.ValidString(session) || utf8.RuneCountInString(session) > maxSession:
		return fmt.Errorf("the name of a session must be text of at most %d characters", maxSession)
	}
	return nil
}

// clip makes s fit for a sidecar.
func clip(s string, characters int) string {
	return text.Prefix(strings.ToValidUTF8(s, "\uFFFD"), characters)
}

// readSidecar returns what d has about id. An error matches fs.ErrNotExist or
// is an *IntegrityError if that is what is wrong.
func (s *Store) readSidecar(d *folder, id string) (sidecar, error) {
	name := id + sideSuffix
	f, _, err := d.open(name, os.O_RDONLY)
	if err != nil {
		var irregular *irregularError
		if errors.As(err, &irregular) {
			return sidecar{}, &IntegrityError{ID: id, What: irregular.Error()}
		}
		return sidecar{}, named(name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSidecar+1))
	if err != nil {
		return sidecar{}, named(name, err)
	}
	if len(data) > maxSidecar {
		return sidecar{}, &IntegrityError{ID: id, What: fmt.Sprintf("its description has more than %d bytes", maxSidecar)}
	}
	side, err := decode(data, id, s.opts.Key)
	if err != nil {
		return sidecar{}, &IntegrityError{ID: id, What: err.Error()}
	}
	return side, nil
}
