package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// pick is one mutant of a package that is to be tried.
type pick struct {
	*mutated
	number int // from 1
}

func (m pick) String() string {
	is := m.mutants[m.number-1]
	return fmt.Sprintf("%s: %s", is.what, is.where)
}

// at is where a mutant is, as a path from this folder if it is below it.
func (m pick) at() string {
	at := m.mutants[m.number-1].at
	if here, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(here, at.Filename); err == nil && filepath.IsLocal(name) {
			at.Filename = name
		}
	}
	return at.String()
}

// mutantCount is what became of mutants.
type mutantCount struct {
	noticed, inSoak, survived, unreached int
}

func (c *mutantCount) add(other mutantCount) {
	c.noticed += other.noticed
	c.inSoak += other.inSoak
	c.survived += other.survived
	c.unreached += other.unreached
}

// picked are the mutants of packages that are to be tried.
func (o *mutantOptions) picked(dirs []string, list io.Writer) (all []pick, err error) {
	for _, dir := range dirs {
		p, err := mutate(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for i, m := range p.mutants {
			if o.files.MatchString(filepath.Base(m.at.Filename)) {
				all = append(all, pick{p, i + 1})
			}
		}
	}
	if o.draw > 0 {
		fmt.Fprintf(list, "-draw %d -seed %d, of %d mutants\n", o.draw, o.seed, len(all))
		all = drawn(all, o.draw, o.seed)
	}
	return all, nil
}

// examine tries mutants of packages, and lists those that the tests let pass.
func (o *mutantOptions) examine(dirs []string, list io.Writer) error {
	all, err := o.picked(dirs, list)
	if err != nil {
		return err
	}
	var sum mutantCount
	packages := 0
	for len(all) > 0 {
		p, n := all[0].mutated, 1
		for n < len(all) && all[n].mutated == p {
			n++
		}
		c, err := o.try(p, all[:n], list)
		if err != nil {
			return fmt.Errorf("%s: %w", p.dir, err)
		}
		o.summary(list, filepath.Base(p.dir), c)
		sum.add(c)
		all = all[n:]
		packages++
	}
	if packages > 1 {
		o.summary(list, "all", sum)
	}
	return nil
}

// drawn are some of all, in their order: each as likely as any other.
func drawn(all []pick, n int, seed uint64) (some []pick) {
	places := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:min(n, len(all))]
	slices.Sort(places)
	for _, at := range places {
		some = append(some, all[at])
	}
	return some
}

// try tries mutants of a package: those that make test's tests let pass with make soak's, too, if that is asked for.
func (o *mutantOptions) try(p *mutated, mutants []pick, list io.Writer) (c mutantCount, err error) {
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(scratch)
	programs, err := o.programs(p, scratch)
	if err != nil {
		return c, err
	}
	left, reached, err := o.left(programs, "test", scratch, mutants)
	if err != nil {
		return c, err
	}
	c.noticed = len(mutants) - len(left)
	if o.soak && len(left) > 0 {
		before := left
		if left, reached, err = o.left(programs, "soak", scratch, before); err != nil {
			return c, err
		}
		for _, m := range before {
			if !slices.Contains(left, m) {
				fmt.Fprintf(list, "%s: only make soak notices: %v\n", m.at(), m)
			}
		}
		c.inSoak = len(before) - len(left)
	}
	for _, m := range left {
		how := "survived"
		if !reached[m.number] {
			how = "never reached"
			c.unreached++
		} else {
			c.survived++
		}
		fmt.Fprintf(list, "%s: %s: %v\n", m.at(), how, m)
	}
	return c, nil
}

// left are the mutants that a tier's tests let pass, and which they reach.
func (o *mutantOptions) left(
	programs []mutantTests, tier, scratch string, mutants []pick,
) ([]pick, map[int]bool, error) {
	reached, limit, err := o.baseline(programs, tier, filepath.Join(scratch, "reached."+tier))
	if err != nil {
		return nil, nil, err
	}
	var left []pick
	for _, m := range mutants {
		if !reached[m.number] || o.passes(programs, tier, limit, m.number) {
			left = append(left, m)
		}
	}
	return left, reached, nil
}

// summary ends the list of a package, or of all.
func (o *mutantOptions) summary(list io.Writer, name string, c mutantCount) {
	soak := ""
	if o.soak {
		share := 100 * float64(c.noticed) / float64(cmp.Or(c.noticed+c.inSoak, 1))
		soak = fmt.Sprintf(" (%.1f %% of what any test notices), %d only by make soak", share, c.inSoak)
	}
	fmt.Fprintf(list, "%s: %d noticed%s, %d survived, %d never reached\n", name, c.noticed, soak, c.survived,
		c.unreached)
}
