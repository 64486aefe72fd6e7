package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/alike"
	"github.com/sabot-table/sabot/table/authority"
)

// Nobody is the supervisor of the example, whose PIN nobody knows.
const Nobody = "nobody-yet"

// Supervisors says who may put an irregularity right, and how they are proven.
type Supervisors struct {
	Proof authority.Proof `yaml:"proof" default:"pin"`
	// Names are the supervisors who have a PIN.
	Names []Supervisor `yaml:"names" ask:"supervisor person" label:"pin.title"`
	// PINDigits is how many digits a PIN has at least that is made from now on.
	PINDigits int `yaml:"pin_digits" default:"4" ask:"supervisor amount optional" label:"first.pin-digits"`
	// KeyHolder is the name that stands for the key switch in the record; empty without one.
	KeyHolder string `yaml:"key_holder"`
	// Present is how long a correct PIN is valid, unless something is put right first.
	Present time.Duration `yaml:"present" default:"1m" range:"5s 10m"`
	// Tries is how many wrong PINs lock a name out, LockOut is for how long, and
	// LockOutMost for how long at most when it happens again.
	Tries       int           `yaml:"tries" default:"3" range:"1 10"`
	LockOut     time.Duration `yaml:"lock_out" default:"30s" range:"1s 1h"`
	LockOutMost time.Duration `yaml:"lock_out_most" default:"15m"`
}

// Supervisor is a supervisor who has a PIN.
type Supervisor struct {
	Name string  `yaml:"name,required"`
	PIN  PINHash `yaml:"pin,required"`
}

// PINHash is an argon2id hash as authority.ParseHash reads it. Faults do not repeat
// it: it may be a PIN that was put there by mistake.
type PINHash string

// UnmarshalText takes any text: check looks at it.
func (h *PINHash) UnmarshalText(text []byte) error {
	*h = PINHash(text)
	return nil
}

// Authority returns what the table demands of supervisors alone.
func (s Supervisors) Authority() (authority.Options, error) {
	o := authority.Options{
		Proof: s.Proof, Holder: s.KeyHolder, Present: s.Present,
		Limits: authority.Limits{Tries: s.Tries, LockOut: s.LockOut, LockOutMost: s.LockOutMost},
	}
	for _, one := range s.Names {
		hash, err := authority.ParseHash(string(one.PIN))
		if err != nil {
			return o, fmt.Errorf("the PIN of supervisor %s %w", one.Name, err)
		}
		o.Supervisors = append(o.Supervisors, authority.Supervisor{Name: one.Name, PIN: hash})
	}
	return o, nil
}

func (k checker) supervisors() {
	s := k.config.Supervisors
	k.proof(s)
	for i := range s.Names {
		k.supervisor(s.Names, i)
	}
	if k.doc.Has("supervisors.key_holder") {
		k.person("supervisors.key_holder", s.KeyHolder)
	}
	k.doc.Within("supervisors.pin_digits", s.PINDigits, authority.LeastDigits, authority.MostDigits)
	k.lasts("supervisors.lock_out_most", s.LockOutMost, s.LockOut, 24*time.Hour)
}

// known says whether a supervisor is a person, and not the example's.
func known(s Supervisor) bool { return s.Name != Nobody }

// proof refuses a table at which nobody could be proven, and settings without effect.
func (k checker) proof(s Supervisors) {
	const names, holder = "supervisors.names", "supervisors.key_holder"
	unused := fmt.Sprintf("would not be used: supervisors.proof is %s", s.Proof)
	switch {
	case !k.doc.Sound("supervisors.proof"):
		return
	case s.Proof.UsesPIN() && len(s.Names) == 0:
		k.doc.Refuse(names, "is missing: nobody could put an irregularity right",
			"add the line that sabot key pin NAME prints; on a bench, write proof: none instead")
	case s.Proof == authority.PIN && !slices.ContainsFunc(s.Names, known):
		k.doc.Refuse(names, "has nobody but the example's "+Nobody+
			", whose PIN nobody knows: nobody could put an irregularity right",
			"put the line that sabot key pin NAME prints in its place")
	case !s.Proof.UsesPIN() && k.doc.Has(names):
		k.doc.Refuse(names, unused, "remove it, or write another proof")
	}
	switch needed := s.Proof == authority.Key || s.Proof == authority.PINOrKey; {
	case needed && s.KeyHolder == "":
		k.doc.Refuse(holder, "is missing", "write the name for the key in the record, such as pit-key")
	case !s.Proof.UsesKey() && k.doc.Has(holder):
		k.doc.Refuse(holder, unused, "remove it, or write another proof")
	}
	if s.Proof == authority.None && !k.config.Web.Local() {
		k.doc.Refuse("supervisors.proof",
			"with none everyone is taken at their word, and the page can be reached from other machines",
			"write another proof, or listen on this machine only")
	}
}

// supervisor checks one name and hash. Names that differ only in capitals would
// be mistaken for each other in the record.
func (k checker) supervisor(all []Supervisor, i int) {
	path := fmt.Sprintf("supervisors.names[%d]", i)
	k.person(path+".name", all[i].Name)
	same := func(one Supervisor) bool { return strings.EqualFold(one.Name, all[i].Name) }
	if slices.IndexFunc(all, same) < i {
		k.doc.Refuse(path+".name", fmt.Sprintf("%q is in the list twice", all[i].Name),
			"give each supervisor a name of their own")
	}
	if _, err := authority.ParseHash(string(all[i].PIN)); err != nil {
		k.doc.Refuse(path+".pin", err.Error(),
			"let sabot key pin NAME make the line; the PIN itself is never written here")
	}
}

// alike refuses names of people that are taken for another one's, wherever both are. One person has one name in all
// lists.
func (k checker) alike() {
	var known alike.Names
	look := func(path, name string) {
		if like := known.Like(name); like != "" && k.doc.Sound(path) {
			k.doc.Refuse(path, fmt.Sprintf("%q looks like %q, who is there, too", name, like),
				"write one person's name in one way, and give another person one that nobody takes for it")
		}
		known.Add(name)
	}
	c := k.config
	for i, one := range c.Supervisors.Names {
		look(fmt.Sprintf("supervisors.names[%d].name", i), one.Name)
	}
	if c.Supervisors.KeyHolder != "" {
		look("supervisors.key_holder", c.Supervisors.KeyHolder)
	}
	for i, one := range c.Dealers.Names {
		look(fmt.Sprintf("dealers.names[%d].name", i), one.Name)
	}
	for i, one := range c.Commands.Keys {
		if one.Person != "" {
			look(fmt.Sprintf("commands.keys[%d].person", i), one.Person)
		}
	}
}

func (k checker) person(path, name string) {
	if err := authority.CheckName(name); err != nil {
		k.doc.Refuse(path, fmt.Sprintf("%q cannot be written into the record", name), err.Error())
	}
}
