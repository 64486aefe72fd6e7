package doctor

import (
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/journal"
)

const (
	// mostSecret limits one file with secrets, mostFiles how many are looked at.
	mostSecret = 64 << 10
	mostFiles  = 200
)

// quotedSecret finds what a configuration may have of PINs, badges and keys, whatever else is wrong with it.
var quotedSecret = regexp.MustCompile(`\$argon2[A-Za-z0-9+/=,$]+|sha256:[0-9a-f]{64}`)

// codesKey finds the key in the file of the journal's codes: what else is in it is in the journal, too.
var codesKey = regexp.MustCompile(`"key":"[0-9a-f]+"`)

// userInfo finds the names and passwords in addresses.
var userInfo = regexp.MustCompile(`://([^/@\s"']+)@`)

// secrets are the values of all secrets that this user may read: those in the configuration, in the files that it
// names, in what else is kept from others beside it and beside the journal, and in the environment.
func (s *BundleSource) secrets() (values [][]byte) {
	values = append(inConfig(s.Ask.Config), s.strayed()...)
	if s.config != nil {
		for _, file := range s.config.Files() {
			if file.Kind.Secret() {
				values = append(values, read(file.Path)...)
			}
		}
		for _, kept := range keptSecrets {
			values = append(values, read(s.config.Journal.Path+kept)...)
		}
		for _, text := range read(s.config.Journal.Path + journal.CodesEnd) {
			values = append(values, codesKey.FindAll(text, -1)...)
		}
	}
	for _, name := range s.Variables {
		if value := os.Getenv(name); value != "" {
			values = append(values, []byte(value))
		}
	}
	return append(values, s.closedFiles(filepath.Dir(s.Ask.Config))...)
}

// inConfig are the secrets in a configuration: what else is in it is none.
func inConfig(path string) (values [][]byte) {
	for _, text := range read(path) {
		values = append(values, quotedSecret.FindAll(text, -1)...)
		for _, found := range userInfo.FindAllSubmatch(text, -1) {
			values = append(values, passwordOf(found[1])...)
		}
	}
	return values
}

// strayed is what a configuration has where nothing belongs: a secret may have got there, and what is said of the
// configuration's faults repeats it. What is short may also be an ordinary word.
func (s *BundleSource) strayed() (values [][]byte) {
	const long = 8
	for _, text := range read(s.Ask.Config) {
		_, left, err := config.Shown(text)
		for _, one := range left {
			if err == nil && len(one) >= long {
				values = append(values, []byte(one))
			}
		}
	}
	return values
}

// keptSecrets are the ends of the files beside the journal with what is kept of screens' sessions.
var keptSecrets = []string{".screens"}

// passwordOf is the password in the part of an address before the @, also as it is meant.
func passwordOf(info []byte) (values [][]byte) {
	values = append(values, info)
	for i, c := range info {
		if c == ':' {
			values = append(values, info[i+1:])
			if meant, err := url.PathUnescape(string(info[i+1:])); err == nil {
				values = append(values, []byte(meant))
			}
			break
		}
	}
	return values
}

// closedFiles reads what is kept from other users in a folder. Of configurations it takes only what is secret in them,
// and nothing of the journal and the log, which may be there, too.
func (s *BundleSource) closedFiles(folder string) (values [][]byte) {
	seen := 0
	// what cannot be seen is not told either
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case s.ofJournal(path):
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil
		}
		info, err := entry.Info()
		if seen++; seen > mostFiles {
			return filepath.SkipAll
		}
		const others fs.FileMode = 0o004
		switch {
		case err != nil || !info.Mode().IsRegular() || info.Mode()&others != 0 || info.Size() > mostSecret ||
			path == s.Log:
		case snapshot(path, s.Ask.Config) || filepath.Ext(path) == ".yaml":
			values = append(values, inConfig(path)...)
		default:
			values = append(values, read(path)...)
		}
		return nil
	})
	return values
}

// ofJournal reports whether a file is of the journal, or is kept beside it. A key may have the same name with another
// end.
func (s *BundleSource) ofJournal(path string) bool {
	if s.config == nil {
		return false
	}
	rest, is := strings.CutPrefix(path, s.config.Journal.Path)
	beside := append([]string{"", ".lock", config.BackupLock, health.BackupEnd, configfile.NotesEnd, journal.PartsEnd},
		config.Kept...)
	return is && (strings.HasPrefix(rest, "/") || slices.Contains(beside, rest))
}

// snapshot reports whether a file is the configuration, or what it was before a change.
func snapshot(path, file string) bool {
	name, base := filepath.Base(path), filepath.Base(file)
	return name == base || len(name) > len(base) && name[:len(base)+1] == base+"."
}

// read is the text of a file with secrets, nothing if it may not be read: then no other file here has it from there.
func read(path string) [][]byte {
	f, err := securefile.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostSecret))
	if err != nil {
		return nil
	}
	return [][]byte{text}
}
