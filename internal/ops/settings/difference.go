package settings

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/vocab"
)

// Differences are what answers change in the file, one by one, for people and for the record. No secret is in them.
func Differences(text []byte, answers []Answer) (all []vocab.Setting, err error) {
	var plain []Answer
	for _, a := range answers {
		f, err := FieldOf(a.Key)
		if err != nil {
			return nil, err
		}
		if !f.Kind.Apart() && f.Kind != Person {
			plain = append(plain, a)
		}
	}
	after, err := Write(text, plain)
	if err != nil {
		return nil, err
	}
	was, is := Tried(text), Tried(after)
	for _, q := range Questions() {
		for _, f := range q.Fields {
			given := slices.IndexFunc(answers, func(a Answer) bool { return a.Key == f.Key })
			s := vocab.Setting{Key: f.Key, Did: vocab.SettingChanged, Was: f.Is(was), Now: f.Is(is)}
			switch {
			case f.Kind == Person && given >= 0:
				all = append(all, personal(was, answers[given]))
			case f.Kind.Apart() && given >= 0 && answers[given].Text != "":
				all = append(all, apart(f, answers[given]))
			case f.Kind.Apart() && s.Was != "" && (given >= 0 || s.Now == ""):
				all = append(all, vocab.Setting{Key: f.Key, Did: vocab.SettingRemoved})
			case f.Kind != Person && !f.Kind.Apart() && s.Was != s.Now:
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// apart is what is kept in a file of its own: of a certificate people compare the fingerprint.
func apart(f Field, a Answer) vocab.Setting {
	s := vocab.Setting{Key: f.Key, Did: vocab.SettingRenewed}
	if certificate, err := oneCertificate(a.Text); f.Kind == Authority && err == nil {
		s.Did, s.Now = vocab.SettingChanged, Fingerprint(raw(certificate))
	}
	return s
}

// Fingerprint is a certificate's as openssl x509 -fingerprint -sha256 prints it, and as people compare it everywhere.
func Fingerprint(raw []byte) string {
	return strings.ReplaceAll(fmt.Sprintf("% X", sha256.Sum256(raw)), " ", ":")
}

// personal is what is done to a person, under the name that stands in the file.
func personal(c config.Config, a Answer) vocab.Setting {
	s := vocab.Setting{Key: a.Key, Did: vocab.SettingAdded, Of: a.Text}
	for _, one := range c.Supervisors.Names {
		if strings.EqualFold(one.Name, a.Text) {
			s.Did, s.Of = vocab.SettingRenewed, one.Name
		}
	}
	if a.Remove {
		s.Did = vocab.SettingRemoved
	}
	return s
}

// TakesTwo reports whether by alone may not do all this: as soon as a table has two supervisors, who supervises it is
// decided by two. One's own PIN is one's own matter.
func TakesTwo(text []byte, all []vocab.Setting, by string) bool {
	known := 0
	for _, one := range Tried(text).Supervisors.Names {
		if one.Name != config.Nobody {
			known++
		}
	}
	return known > 1 && slices.ContainsFunc(all, func(s vocab.Setting) bool {
		return s.Key == supervisors && !(s.Did == vocab.SettingRenewed && s.Of == by)
	})
}
