package doctor

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/internal/terminal"
)

// BundleSource is what a bundle is made of.
type BundleSource struct {
	Ask Ask
	// Log is a file with the daemon's log; "" is systemd's journal.
	Log string
	// Said writes the log of a daemon that keeps it itself; nil is one that does not.
	Said func(to io.Writer) error
	// Lines is how many lines of the log are taken, the last ones.
	Lines int
	// Rounds is how many of the last rounds are told in words; 0 leaves them out.
	Rounds int
	// Devices writes what is plugged in.
	Devices func(to io.Writer) error
	// Variables of the environment whose values are secrets.
	Variables []string

	config *config.Config
	page   Page
}

// BundlePart is a file in a bundle.
type BundlePart struct {
	Name, What string
	// Left says why it is not there, "" if it is.
	Left string
	// Faulty says that it should be there, and is not, or not whole.
	Faulty bool
	text   []byte
}

// mostPart limits one file, in bytes: the end of what is longer is kept.
const mostPart = 16 << 20

// Cleaner takes out of texts what Make takes out of every text: the secrets that this user may read now, and what looks
// like one.
func (s BundleSource) Cleaner() func(text string) string {
	s.sketch()
	clean := newScrubber(s.secrets())
	return func(text string) string { return string(clean.text([]byte(text))) }
}

// FileName is what a bundle is called that is made now.
func (s BundleSource) FileName() string {
	s.sketch()
	return s.folder() + ".tar.gz"
}

// MakeBundle makes a bundle, and returns what is in it.
func MakeBundle(ctx context.Context, s BundleSource) (file []byte, parts []BundlePart, err error) {
	s.sketch()
	return s.make(ctx)
}

func (s *BundleSource) make(ctx context.Context) (file []byte, parts []BundlePart, err error) {
	s.page = Examine(ctx, s.Ask)
	clean := newScrubber(s.secrets())
	for _, row := range bundleRows {
		var text bytes.Buffer
		to := terminal.NewWriter(&text)
		err := errors.Join(row.write(ctx, s, to), to.Flush())
		p := BundlePart{Name: row.name, What: row.what}
		if err != nil {
			p.Left = string(clean.text([]byte(err.Error())))
			p.Faulty = !errors.Is(err, errNotAsked)
		}
		if err == nil && text.Len() == 0 {
			p.Left = "there is nothing"
		}
		p.text = clean.text(last(text.Bytes(), mostPart))
		parts = append(parts, p)
	}
	file, err = pack(s.folder(), s.Ask.Now, parts)
	return file, parts, err
}

// sketch reads the configuration as far as that goes.
func (s *BundleSource) sketch() {
	text, err := securefile.Read(s.Ask.Config, strictyaml.MaxSize)
	if err != nil {
		return
	}
	if c, told := config.Outline(s.Ask.Config, text); told {
		s.config = &c
	}
}

// folder is the one in the bundle.
func (s *BundleSource) folder() string {
	name := "sabot-bundle"
	if s.config != nil && fit(s.config.Table) && fit(s.config.Site) {
		name += "-" + s.config.Site + "-" + s.config.Table
	}
	return name + s.Ask.Now.UTC().Format("-2006-01-02T150405Z")
}

// fit reports whether a name can be part of a file's.
func fit(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// WholeBundle counts the files that are in a bundle and whole, and names those that should be there and are not, or not
// whole.
func WholeBundle(parts []BundlePart) (whole int, faulty []string) {
	for _, p := range parts {
		switch {
		case p.Faulty:
			faulty = append(faulty, p.Name)
		case len(p.text) > 0:
			whole++
		}
	}
	return whole, faulty
}

// last is the end of a text, from the beginning of a line on.
func last(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	return text[bytes.IndexByte(text, '\n')+1:]
}

// index lists the parts.
func index(folder string, parts []BundlePart) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b,
		"%s\n\nWhat sabot bundle found, as plain text. Secrets were taken out: passwords, PINs, keys and their "+
			"hashes.\n"+
			"It has names of people, and what lay on the table: give it to nobody but who helps with this table.\n\n",
		folder)
	for _, p := range parts {
		switch {
		case p.Left != "" && len(p.text) == 0:
			fmt.Fprintf(&b, "%-20s LEFT OUT: %s\n", p.Name, terminal.OneLine(p.Left))
		case p.Left != "":
			fmt.Fprintf(&b, "%-20s %s; NOT WHOLE: %s\n", p.Name, p.What, terminal.OneLine(p.Left))
		default:
			fmt.Fprintf(&b, "%-20s %s\n", p.Name, p.What)
		}
	}
	return b.Bytes()
}

// pack writes the parts, with their index first.
func pack(folder string, at time.Time, parts []BundlePart) ([]byte, error) {
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	tape := tar.NewWriter(zip)
	all := append([]BundlePart{{Name: "INDEX.txt", text: index(folder, parts)}}, parts...)
	for _, p := range all {
		if len(p.text) == 0 {
			continue
		}
		head := &tar.Header{
			Name: path.Join(folder, p.Name), Mode: 0o600, Size: int64(len(p.text)),
			ModTime: at.UTC().Truncate(time.Second), Format: tar.FormatPAX,
		}
		if err := tape.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := tape.Write(p.text); err != nil {
			return nil, err
		}
	}
	err := errors.Join(tape.Close(), zip.Close())
	return file.Bytes(), err
}

// WriteBundle makes a bundle at a path, or in the folder that is there, and returns where. It replaces nothing, and
// only its owner may read it.
func WriteBundle(ctx context.Context, s BundleSource, to string) (where string, parts []BundlePart, err error) {
	s.sketch()
	file, parts, err := s.make(ctx)
	if err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		to = filepath.Join(to, s.folder()+".tar.gz")
	}
	if err := securefile.New(to, file); err != nil {
		return "", nil, fmt.Errorf("%w: nothing is replaced, and the folder must be there", err)
	}
	return to, parts, nil
}
