package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/authority"
)

// Dealers says how dealers are proven when they sign in.
type Dealers struct {
	Proof authority.DealerProof `yaml:"proof" default:"none"`
	// Names are the dealers who have a PIN or a badge.
	Names []Dealer `yaml:"names"`
}

// Dealer is a dealer with a PIN, a badge or both.
type Dealer struct {
	Name  string  `yaml:"name,required"`
	PIN   PINHash `yaml:"pin"`
	Badge PINHash `yaml:"badge"`
}

// mostSalts is how many different salts the badges may have: each costs the table a hash for
// every badge that is read.
const mostSalts = 4

// people are the dealers as the table knows them.
func (d Dealers) people() (list []authority.Dealer, err error) {
	for _, one := range d.Names {
		who := authority.Dealer{Name: one.Name}
		if who.PIN, err = optionalHash(one.PIN); err != nil {
			return nil, fmt.Errorf("the PIN of dealer %s %w", one.Name, err)
		}
		if who.Badge, err = optionalHash(one.Badge); err != nil {
			return nil, fmt.Errorf("the badge of dealer %s %w", one.Name, err)
		}
		list = append(list, who)
	}
	return list, nil
}

func optionalHash(h PINHash) (authority.Hash, error) {
	if h == "" {
		return authority.Hash{}, nil
	}
	return authority.ParseHash(string(h))
}

func (k checker) dealers() {
	const names = "dealers.names"
	d := k.config.Dealers
	switch {
	case !k.doc.Sound("dealers.proof"):
		return
	case d.Proof.Required() && len(d.Names) == 0:
		k.doc.Refuse(names, "is missing: nobody could deal",
			"add the lines that sabot key pin NAME and sabot key badge NAME print; without proof write proof: none")
	case !d.Proof.Required() && k.doc.Has(names):
		k.doc.Refuse(names, fmt.Sprintf("would not be used: dealers.proof is %s", d.Proof),
			"remove it, or write another proof")
	}
	for i := range d.Names {
		k.dealer(d, i)
	}
	k.salts(d)
}

// dealer checks one name and what proves it.
func (k checker) dealer(d Dealers, i int) {
	one, path := d.Names[i], fmt.Sprintf("dealers.names[%d]", i)
	k.person(path+".name", one.Name)
	same := func(other Dealer) bool { return strings.EqualFold(other.Name, one.Name) }
	if slices.IndexFunc(d.Names, same) < i {
		k.doc.Refuse(path+".name", fmt.Sprintf("%q is in the list twice", one.Name),
			"give each dealer a name or number of their own, and one line for PIN and badge")
	}
	if one.PIN != "" {
		if _, err := authority.ParseHash(string(one.PIN)); err != nil {
			k.doc.Refuse(path+".pin", err.Error(),
				"let sabot key pin NAME make the line; the PIN itself is never written here")
		}
	}
	if one.Badge != "" {
		if _, err := authority.ParseHash(string(one.Badge)); err != nil {
			k.doc.Refuse(path+".badge", err.Error(),
				"let sabot key badge NAME make the line; the number itself is never written here")
		}
	}
	pin, badge := d.Proof.UsesPIN() && one.PIN != "", d.Proof.UsesBadge() && one.Badge != ""
	if d.Proof.Required() && !pin && !badge {
		k.doc.Refuse(path, fmt.Sprintf("%q has nothing by which to be proven: dealers.proof is %s", one.Name, d.Proof),
			"add what sabot key pin NAME or sabot key badge NAME prints")
	}
}

// salts refuses badges that take too long to be looked up.
func (k checker) salts(d Dealers) {
	var salts []authority.Hash
	for i, one := range d.Names {
		hash, err := optionalHash(one.Badge)
		if err != nil || one.Badge == "" || slices.ContainsFunc(salts, hash.Alike) {
			continue
		}
		if salts = append(salts, hash); len(salts) > mostSalts {
			k.doc.Refuse(fmt.Sprintf("dealers.names[%d].badge", i),
				fmt.Sprintf("is of a fifth salt: each badge that is read would take %d hashes", len(salts)),
				"make it with the salt of another: sabot key badge --like HASH NAME")
			return
		}
	}
}
