package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

// Change writes answers into the file at a path, if what results is what sabot check-config accepts, and returns it. A
// secret goes into a file of its own beside it first: each change has a new one, so that the file before still names its
// own. Otherwise the error is Wrong, or what kept it from being written, and nothing is changed.
func Change(path string, houses profile.Book, answers []Answer) (c config.Config, err error) {
	s := At(path)
	text, err := s.Read()
	if err != nil {
		return c, err
	}
	if Fresh(text) {
		text = Begin(text)
	}
	text, made, err := s.answered(filepath.Dir(path), text, answers)
	if err == nil {
		c, err = accepted(path, text, houses)
	}
	if err == nil {
		err = s.Replace(text)
	}
	if err != nil && made != "" {
		err = errors.Join(err, s.disk.Remove(made))
	}
	return c, err
}

func accepted(path string, text []byte, houses profile.Book) (config.Config, error) {
	c, err := config.ParseFor(nil, path, text, houses)
	var faults strictyaml.Faults
	if errors.As(err, &faults) {
		err = Wrong{faults}
	}
	return c, err
}

// answered is the text with all answers in it; made is the file of a secret that was written for it.
func (s *Store) answered(folder string, text []byte, answers []Answer) (after []byte, made string, err error) {
	var plain []Answer
	for _, a := range answers {
		f, err := FieldOf(a.Key)
		if err != nil {
			return nil, made, err
		}
		if f.Kind != Secret {
			plain = append(plain, a)
			continue
		}
		named := ""
		if a.Text != "" {
			if made, err = s.secret(a.Text); err != nil {
				return nil, made, fmt.Errorf("keeping the password: %w", err)
			}
			named = strictyaml.Text(filepath.Join(folder, made))
		}
		if text, err = strictyaml.Change(text, a.Key, named); err != nil {
			return nil, made, err
		}
	}
	after, err = Write(text, plain)
	return after, made, err
}

// mostSecrets bounds the names that are looked at for a new secret.
const mostSecrets = 10_000

// secret writes a secret into a new file, which its owner and group may read.
func (s *Store) secret(text string) (name string, err error) {
	for n := 1; n < mostSecrets; n++ {
		name = fmt.Sprintf("mqtt-password.%04d", n)
		if _, err := s.disk.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return name, s.write(name, []byte(text+"\n"), func(string) error { return nil })
		}
	}
	return "", fmt.Errorf("there are %d files of passwords: remove those that are not used", mostSecrets)
}
