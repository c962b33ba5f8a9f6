package artifacts

import (
	"crypto/rand"
	"io"
	"path"
	"strconv"
	"strings"
	"time"
)

// An id is art_MILLISECONDS_RANDOM. The time is no secret; the random part
// carries 41 bits.
const (
	idPrefix   = "art_"
	idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
	idRandom   = 8
	maxID      = 64
)

func newID(created time.Time) string {
	return idPrefix + strconv.FormatInt(created.UnixMilli(), 10) + "_" + randomName()
}

// randomName returns idRandom characters of idAlphabet, each as likely.
func randomName() string {
	const fair = 256 / len(idAlphabet) * len(idAlphabet)
	name := make([]byte, 0, idRandom)
	var source [2 * idRandom]byte
	for {
		if _, err := io.ReadFull(rand.Reader, source[:]); err != nil {
			panic(err) // the system's source of randomness does not fail
		}
		for _, b := range source {
			if int(b) >= fair {
				continue
			}
			if name = append(name, idAlphabet[int(b)%len(idAlphabet)]); len(name) == idRandom {
				return string(name)
			}
		}
	}
}

// checkID returns an *IDError unless id has the form of one. Only then may id
// be part of a name.
func checkID(id string) error {
	if _, ok := idTime(id); !ok {
		return &IDError{ID: id}
	}
	return nil
}

// Time returns when the artifact with the id was made, false if it is no id.
func Time(id string) (time.Time, bool) { return idTime(id) }

// idTime returns the time of an id, and whether it is one.
func idTime(id string) (time.Time, bool) {
	rest, ok := strings.CutPrefix(id, idPrefix)
	digits, random, found := strings.Cut(rest, "_")
	if !ok || !found || len(id) > maxID || !consists(digits, isDigit) || !consists(random, isAlphanumeric) {
		return time.Time{}, false
	}
	ms, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return time.Time{}, true // too large a number: no artifact, but an id
	}
	return time.UnixMilli(ms).UTC(), true
}

func consists(s string, of func(byte) bool) bool {
	for i := range len(s) {
		if !of(s[i]) {
			return false
		}
	}
	return s != ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Names in the folder.
const (
	lockName   = "lock"
	tempPrefix = ".tmp-"
	sideSuffix = ".meta.json"
	ownPrefix  = "owner-"
	ownSuffix  = ".lock"
)

// extensions are those of content.
var extensions = []string{".json", ".xml", ".diff", ".txt", ".bin"}

func extension(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	switch {
	case mime == "application/json" || strings.HasSuffix(mime, "+json"):
		return ".json"
	case mime == "application/xml" || mime == "text/xml" || strings.HasSuffix(mime, "+xml"):
		return ".xml"
	case mime == "text/x-diff" || mime == "text/x-patch":
		return ".diff"
	case mime == "" || strings.HasPrefix(mime, "text/"):
		return ".txt"
	}
	return ".bin"
}

// kind is what a name in the folder is for.
type kind int

const (
	foreignName kind = iota
	lockFile
	ownerLock   // key: the owner
	tempContent // key: the id
	tempSidecar // key: the id
	content     // key: the id
	sidecarName // key: the id
)

func classify(name string) (k kind, key string) {
	if name == lockName {
		return lockFile, ""
	}
	if owner, ok := strings.CutPrefix(name, ownPrefix); ok {
		if owner, ok = strings.CutSuffix(owner, ownSuffix); ok && isOwner(owner) {
			return ownerLock, owner
		}
		return foreignName, ""
	}
	bare, isTemp := strings.CutPrefix(name, tempPrefix)
	id, isSide := strings.CutSuffix(bare, sideSuffix)
	if !isTemp && !isSide {
		ext := path.Ext(bare)
		id = strings.TrimSuffix(bare, ext)
		if !isExtension(ext) {
			return foreignName, ""
		}
	}
	switch {
	case checkID(id) != nil:
		return foreignName, ""
	case isTemp && isSide:
		return tempSidecar, id
	case isTemp:
		return tempContent, id
	case isSide:
		return sidecarName, id
	}
	return content, id
}

func isExtension(ext string) bool {
	for _, e := range extensions {
		if e == ext {
			return true
		}
	}
	return false
}

func isOwner(s string) bool { return len(s) == idRandom && consists(s, isAlphanumeric) }
