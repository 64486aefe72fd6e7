package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
)

// Answer is what somebody answered.
type Answer struct {
	// Key is that of a Field.
	Key string
	// Text is the answer: of a Person their name, of a Secret the secret itself, of an Authority its certificate in
	// PEM; "" leaves an optional one open.
	Text string
	// PIN is that of a Person, 4 to 12 digits, or as many as the table asks for.
	PIN string
	// Remove removes a Person, whatever their PIN.
	Remove bool
}

// Why nobody is removed: a table without supervisors stands still at its next irregularity, and who removes themselves
// may have been made to, or have let somebody else use their proof.
var (
	ErrLast = errors.New("the last supervisor cannot be removed: nobody could put an irregularity right")
	ErrSelf = errors.New("nobody removes themselves: let another supervisor do it")
)

// RemovesSelf reports whether answers would remove the one who gives them.
func RemovesSelf(answers []Answer, by string) bool {
	return slices.ContainsFunc(answers, func(a Answer) bool {
		return a.Key == supervisors && a.Remove && strings.EqualFold(a.Text, by)
	})
}

// Wrong is what is wrong with answers: each fault names the key that it is about.
type Wrong struct{ strictyaml.Faults }

func (w Wrong) Error() string { return w.Faults.Error() }

// Fresh reports whether a file says nothing yet of which table it is for: neither site, table nor house. Such a file
// may set everything else, as a package or an image does.
func Fresh(text []byte) bool {
	var c config.Config
	doc := strictyaml.Decode("", text, &c)
	for _, key := range []string{"site", "table", "house", "house_file"} {
		if doc.Has(key) {
			return false
		}
	}
	return len(text) < strictyaml.MaxSize
}

// FirstPage is where the questions of a first start are served. At a first start nobody is known who could be let in,
// so it is an address that only this computer reaches.
func FirstPage(text []byte) string {
	if listen := Tried(text).Web.Listen; (config.Web{Listen: listen}).Local() {
		return listen
	}
	return config.Default().Web.Listen
}

// Begin returns the file from which a first start begins: what is there, or the example if nothing is.
func Begin(text []byte) []byte {
	if len(strings.TrimSpace(string(text))) == 0 {
		return deploy.Example
	}
	return text
}

// Write returns the file with the answers in it. It does not judge them; Check does.
func Write(text []byte, answers []Answer) ([]byte, error) {
	for _, a := range answers {
		f, err := FieldOf(a.Key)
		if err != nil {
			return nil, err
		}
		write := value
		switch f.Kind {
		case Person:
			write = person
		case Secret, Authority:
			return nil, fmt.Errorf("%s is kept in a file of its own: let Keep write it", a.Key)
		}
		if text, err = write(text, f, a); err != nil {
			return nil, err
		}
		// then nothing vouches for it, and the file would be refused
		if a.Key == brokerKey && !strings.HasPrefix(a.Text, "ssl:") {
			if text, err = strictyaml.Change(text, authorityKey, ""); err != nil {
				return nil, err
			}
		}
	}
	return text, nil
}

// value writes an answer as the key's value.
func value(text []byte, f Field, a Answer) ([]byte, error) {
	source := strictyaml.Text(a.Text)
	switch {
	case a.Text == "" && !f.Optional:
		return nil, fmt.Errorf("%s cannot be left open", a.Key)
	case !utf8.ValidString(a.Text):
		return nil, fmt.Errorf("%s has bytes that are no text", a.Key)
	case a.Text == "":
		source = ""
	case f.Kind == Amount && isAmount(a.Text):
		source = a.Text
	}
	return strictyaml.Change(text, a.Key, source)
}

func isAmount(text string) bool {
	_, err := money.Parse(text, 3) // whether it is one of the house's currency, the configuration says
	return err == nil && (len(text) == 1 || text[0] != '0' || text[1] == '.')
}

// hashOf hashes a PIN.
var hashOf = authority.NewPIN

// person writes a person's line, in place of the one of the same name.
func person(text []byte, f Field, a Answer) ([]byte, error) {
	if err := authority.CheckName(a.Text); err != nil {
		return nil, fmt.Errorf("%q cannot be written into the record: %w", a.Text, err)
	}
	var c config.Config
	strictyaml.Decode("", text, &c)
	all := c.Supervisors.Names
	at := slices.IndexFunc(all, func(one config.Supervisor) bool { return strings.EqualFold(one.Name, a.Text) })
	item := func(n int) string { return fmt.Sprintf("%s[%d]", f.Key, n) }
	if a.Remove {
		switch {
		case at < 0:
			return nil, fmt.Errorf("%q is no supervisor: nobody was removed", a.Text)
		case len(all) == 1:
			return nil, ErrLast
		}
		return strictyaml.Change(text, item(at), "")
	}
	if err := authority.CheckPIN(a.PIN, max(c.Supervisors.PINDigits, authority.LeastDigits)); err != nil {
		return nil, err
	}
	hash := hashOf(a.PIN).String()
	if at >= 0 {
		return strictyaml.Change(text, item(at)+".pin", fmt.Sprintf("%q", hash))
	}
	text, err := strictyaml.Change(text, item(len(all)), fmt.Sprintf("{name: %q, pin: %q}", a.Text, hash))
	unknown := slices.IndexFunc(all, func(one config.Supervisor) bool { return one.Name == config.Nobody })
	if err != nil || unknown < 0 {
		return text, err
	}
	return strictyaml.Change(text, item(unknown), "")
}

// Check returns what is wrong with the answers to a question in a file that is otherwise not finished: Wrong, or what
// kept them from being written. file is its name in faults.
func Check(file string, text []byte, houses profile.Book, answers []Answer) error {
	after, err := Write(text, answers)
	if err != nil {
		return err
	}
	_, err = config.Parse(file, after, houses)
	var faults strictyaml.Faults
	if !errors.As(err, &faults) {
		return err
	}
	about := slices.DeleteFunc(slices.Clone(faults), func(f strictyaml.Fault) bool {
		return !slices.ContainsFunc(answers, func(a Answer) bool { return within(f.Path, a.Key) })
	})
	if len(about) == 0 {
		return nil
	}
	return Wrong{about}
}

// within reports whether a path is a key, or inside it.
func within(path, key string) bool {
	rest, in := strings.CutPrefix(path, key)
	return in && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Open lists the keys that must be answered and are not.
func Open(answers []Answer) (keys []string) {
	for _, q := range Questions() {
		for _, f := range q.Fields {
			given := func(a Answer) bool { return a.Key == f.Key && a.Text != "" }
			if !f.Optional && !slices.ContainsFunc(answers, given) {
				keys = append(keys, f.Key)
			}
		}
	}
	return keys
}

// Tried is a configuration as far as a text can be read, whatever is wrong with it: good only for showing and trying
// it.
func Tried(text []byte) config.Config {
	c := config.Default()
	strictyaml.Decode("", text, &c)
	return c
}
