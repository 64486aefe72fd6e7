package backup

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// format is the version of what a generation's file says.
const format = 1

// Stored is a file of a generation. What is in it lies in the place under its hash.
type Stored struct {
	// Name is that of a part, as in the journal's folder, or the role of another file.
	Name string `json:"name"`
	Size int64  `json:"size"`
	// SHA256 is in lower-case hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// object is the name of the file in the place.
func (s Stored) object() string { return objectBegin + s.SHA256 }

// Head is the last record of a journal.
type Head struct {
	ID     string `json:"id"`
	Record uint64 `json:"record"`
	// Hash is the record's, in hexadecimal digits.
	Hash  string `json:"hash"`
	Event uint64 `json:"event,omitempty"`
}

// Sealed are the files that only whoever holds an age identity can read, all in one.
type Sealed struct {
	Stored
	// Roles are those of the files in it.
	Roles []string `json:"roles"`
}

// Generation is one backup.
type Generation struct {
	Format int `json:"sabot_backup"`
	// Number counts the backups of a place from 1. Clocks may be wrong, so At does not order them.
	Number  uint64    `json:"generation"`
	At      time.Time `json:"at"`
	Program string    `json:"program"`
	Site    string    `json:"site"`
	Table   string    `json:"table"`
	Journal Head      `json:"journal"`
	// Heard is the last head that the pit was known to have; nil for none.
	Heard *Head `json:"heard,omitempty"`
	// Parts are the journal's files, and Files those that are no secret.
	Parts []Stored `json:"parts"`
	Files []Stored `json:"files"`
	// Sealed are the secret files; nil if there are none, or if they were left out.
	Sealed *Sealed `json:"sealed,omitempty"`
	// LeftOut are the roles of files that the table has and the backup has not.
	LeftOut []string `json:"left_out,omitempty"`

	// Key is the public key that signed the generation, nil for a table without a key.
	Key ed25519.PublicKey `json:"-"`
}

// stored are all files of the generation.
func (g *Generation) stored() []Stored {
	all := append(append([]Stored(nil), g.Parts...), g.Files...)
	if g.Sealed != nil {
		all = append(all, g.Sealed.Stored)
	}
	return all
}

// Folder is the name of a table's folder in a target.
func Folder(site, table string) string { return folderBegin + site + "." + table }

const (
	folderBegin     = "sabot-"
	objectBegin     = "data-"
	generationBegin = "generation-"
	generationEnd   = ".json"
	draftEnd        = ".new"

	// mostGeneration limits the file of a generation, in bytes: a hundred thousand parts.
	mostGeneration = 32 << 20
	// mostNumber keeps numbers within nine digits.
	mostNumber = 999_999_999
)

func fileOf(number uint64) string {
	return fmt.Sprintf("%s%09d%s", generationBegin, number, generationEnd)
}

// numberOf reads the name of a generation's file.
func numberOf(name string) (number uint64, ok bool) {
	digits, begins := strings.CutPrefix(name, generationBegin)
	digits, ends := strings.CutSuffix(digits, generationEnd)
	number, err := strconv.ParseUint(digits, 10, 63)
	return number, begins && ends && err == nil && number > 0 && number <= mostNumber && len(digits) == 9
}

// signed is what a table signs of a generation. No seal has such a text.
func signed(line []byte) []byte {
	sum := sha256.Sum256(line)
	return fmt.Appendf(nil, "sabot backup\n%x\n", sum)
}

// signature is the second line of a generation's file.
type signature struct {
	Key       string `json:"key"`
	Signature string `json:"signature"`
}

// text writes a generation: its line, and one with its signature.
func (g *Generation) text(key ed25519.PrivateKey) ([]byte, error) {
	line, err := json.Marshal(g)
	if err != nil {
		return nil, err
	}
	line = append(line, '\n')
	if key == nil {
		return line, nil
	}
	second, err := json.Marshal(signature{
		Key:       journal.PublicLine(key.Public().(ed25519.PublicKey)),
		Signature: hex.EncodeToString(ed25519.Sign(key, signed(line))),
	})
	return append(append(line, second...), '\n'), err
}

// parse reads what text writes, and checks it and its signature.
func parse(text []byte) (g Generation, err error) {
	line, rest, whole := bytes.Cut(text, []byte("\n"))
	if !whole {
		return g, errors.New("it is not whole")
	}
	if err := strict(line, &g); err != nil {
		return g, err
	}
	if err := g.check(); err != nil {
		return g, err
	}
	if len(rest) == 0 {
		return g, nil
	}
	g.Key, err = verified(text[:len(line)+1], rest)
	return g, err
}

// strict reads one JSON object and nothing else.
func strict(line []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if err := in.Decode(into); err != nil {
		return err
	}
	if in.More() {
		return errors.New("something follows on its line")
	}
	return nil
}

func verified(line, rest []byte) (ed25519.PublicKey, error) {
	var s signature
	second, more, whole := bytes.Cut(rest, []byte("\n"))
	if !whole || len(more) > 0 {
		return nil, errors.New("it does not end with one line that signs it")
	}
	if err := strict(second, &s); err != nil {
		return nil, err
	}
	key, err := journal.ParsePublicLine(s.Key)
	if err != nil {
		return nil, err
	}
	by, err := hex.DecodeString(s.Signature)
	again, _ := json.Marshal(s) // the same text can be written in other ways: a table writes it in one
	if err != nil || !bytes.Equal(again, second) || s.Signature != hex.EncodeToString(by) ||
		!ed25519.Verify(key, signed(line), by) {
		return nil, errors.New("its signature does not fit: it was changed after it was written")
	}
	return key, nil
}

// pattern is read when something is first held against it: most commands are none of a backup.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var (
	digits64 = pattern(`^[0-9a-f]{64}$`)
	digits32 = pattern(`^[0-9a-f]{32}$`)
	element  = pattern(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)
	role     = pattern(`^[a-z][a-z_.]{0,62}(?:\[[0-9]{1,3}\])?$`)
)

// mostStored limits the size of one file, in bytes.
const mostStored = 1 << 40

func (g *Generation) check() error {
	if g.Format != format {
		return fmt.Errorf("it has the format %d, and this program knows %d: use the program that wrote it, or a "+
			"newer one", g.Format, format)
	}
	if _, err := topic.NewTable(g.Site, g.Table); err != nil {
		return err
	}
	if g.Number == 0 || g.Number > mostNumber {
		return fmt.Errorf("its number is %d", g.Number)
	}
	heads := []Head{g.Journal}
	if g.Heard != nil {
		heads = append(heads, *g.Heard)
	}
	for _, h := range heads {
		if !digits32().MatchString(h.ID) || !digits64().MatchString(h.Hash) {
			return errors.New("a head of a journal has no name or no hash")
		}
	}
	return g.checkFiles()
}

func (g *Generation) checkFiles() error {
	seen := map[string]bool{}
	for _, s := range g.stored() {
		if !digits64().MatchString(s.SHA256) || s.Size < 0 || s.Size > mostStored {
			return fmt.Errorf("its file %q has no hash or no size", s.Name)
		}
		if seen[s.Name] {
			return fmt.Errorf("its file %q is there twice", s.Name)
		}
		seen[s.Name] = true
	}
	for _, s := range g.Parts {
		if !partOfJournal(s.Name) {
			return fmt.Errorf("%q is no file of a journal", s.Name)
		}
	}
	roles := append([]string(nil), g.LeftOut...)
	for _, s := range g.Files {
		roles = append(roles, s.Name)
	}
	if g.Sealed != nil {
		roles = append(roles, g.Sealed.Roles...)
	}
	for _, r := range roles {
		if !role().MatchString(r) {
			return fmt.Errorf("%q is no role of a file", r)
		}
	}
	return nil
}

// partOfJournal reports whether a journal has files of this name: a generation names no others, and none outside.
func partOfJournal(name string) bool {
	elements := strings.Split(name, "/")
	for _, e := range elements {
		if !element().MatchString(e) {
			return false
		}
	}
	base := path.Base(name)
	if len(elements) > 8 || strings.HasSuffix(base, draftEnd) {
		return false
	}
	for _, e := range elements[:len(elements)-1] {
		if !strings.HasPrefix(e, "set-aside-") {
			return false
		}
	}
	return journal.Part(base) || strings.HasPrefix(base, "foreign-") || len(elements) > 1 &&
		strings.HasPrefix(base, "part-")
}
