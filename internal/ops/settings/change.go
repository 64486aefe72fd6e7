package settings

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

// Change writes answers into the file at a path, if what results is what sabot config check accepts, and returns it.
// What is kept apart goes into a file of its own beside it first: each change has a new one, so that the file before
// still names its own. A secret that was kept for another broker is dropped. Otherwise the error is Wrong, or what kept
// it from being written, and nothing is changed. First is done before the file is replaced, and an error of it keeps
// the file as it is.
func Change(path string, houses profile.Book, answers []Answer, first ...func() error) (c config.Config, err error) {
	s := At(path)
	text, err := s.Read()
	if err != nil {
		return c, err
	}
	if Fresh(text) {
		text = Begin(text)
	}
	before := Tried(text)
	text, made, err := s.answered(filepath.Dir(path), text, answers)
	if err == nil {
		text, err = dropped(text, before, answers)
	}
	if err == nil {
		c, err = accepted(path, text, houses)
	}
	for _, do := range first {
		if err == nil {
			err = do()
		}
	}
	if err == nil {
		err = s.Replace(text)
	}
	if err != nil {
		for _, name := range made {
			err = errors.Join(err, s.disk.Remove(name))
		}
	}
	return c, err
}

// dropped is the text without the secrets that were kept for another than whom it names: nobody is told what was not
// meant for them.
func dropped(text []byte, before config.Config, answers []Answer) (after []byte, err error) {
	next := Tried(text)
	for _, f := range fields() {
		given := slices.ContainsFunc(answers, func(a Answer) bool { return a.Key == f.Key })
		if given || f.Is(before) == "" || Same(f, before, next) {
			continue
		}
		if text, err = strictyaml.Change(text, f.Key, ""); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// Same reports whether a secret that was kept by one configuration is for the same in another.
func Same(secret Field, before, next config.Config) bool {
	return !slices.ContainsFunc(secret.For, func(key string) bool {
		f, err := FieldOf(key)
		return err != nil || f.Is(before) != f.Is(next)
	})
}

func accepted(path string, text []byte, houses profile.Book) (config.Config, error) {
	c, err := config.ParseFor(nil, path, text, houses)
	var faults strictyaml.Faults
	if errors.As(err, &faults) {
		err = Wrong{faults}
	}
	return c, err
}

// answered is the text with all answers in it; made are the files that were written for it.
func (s *Store) answered(folder string, text []byte, answers []Answer) (after []byte, made []string, err error) {
	var plain []Answer
	for _, a := range answers {
		f, err := FieldOf(a.Key)
		if err != nil {
			return nil, made, err
		}
		if !f.Kind.Apart() {
			plain = append(plain, a)
			continue
		}
		named := ""
		if a.Text != "" {
			name, err := s.keep(f.Kind, a.Text)
			if err != nil {
				return nil, made, err
			}
			made = append(made, name)
			named = strictyaml.Text(filepath.Join(folder, name))
		}
		if text, err = strictyaml.Change(text, a.Key, named); err != nil {
			return nil, made, err
		}
	}
	after, err = Write(text, plain)
	return after, made, err
}

// keep writes an answer that is kept apart into a new file.
func (s *Store) keep(kind Kind, text string) (name string, err error) {
	if kind == Secret {
		if name, err = s.apart("mqtt-password", []byte(text+"\n")); err != nil {
			err = fmt.Errorf("keeping the password: %w", err)
		}
		return name, err
	}
	certificate, err := oneCertificate(text)
	if err != nil {
		return "", err
	}
	if name, err = s.apart("mqtt-authority", certificate); err != nil {
		err = fmt.Errorf("keeping the certificate: %w", err)
	}
	return name, err
}

// oneCertificate is a certificate in PEM, and nothing else that a text may hold.
func oneCertificate(text string) ([]byte, error) {
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" || len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("%s is not one certificate in PEM", authorityKey)
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return nil, fmt.Errorf("%s is not a certificate: %w", authorityKey, err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes}), nil
}

// raw is what a certificate in PEM holds.
func raw(certificate []byte) []byte {
	block, _ := pem.Decode(certificate)
	return block.Bytes
}

// mostApart bounds the names that are looked at for a new file.
const mostApart = 10_000

// apart writes a new file, which its owner and group may read.
func (s *Store) apart(kind string, text []byte) (name string, err error) {
	for n := 1; n < mostApart; n++ {
		name = fmt.Sprintf("%s.%04d", kind, n)
		if _, err := s.disk.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return name, s.write(name, text, func(string) error { return nil })
		}
	}
	return "", fmt.Errorf("there are %d files %s.*: remove those that are not used", mostApart, kind)
}
