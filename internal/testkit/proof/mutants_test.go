package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

const mutantSource = `package bank

import "errors"

const floor = 17

type hand int

func draws(h hand, soft bool) (bool, error) {
	if h > 21 || h < 0 {
		return false, errors.New("no such hand")
	}
	if h == floor && soft {
		return true, nil
	}
	drawn++
	return h < floor, nil
}

var drawn hand

func unused() int { return 3 }
`

const mutantTest = `package bank

import "testing"

func TestDraws(t *testing.T) {
	for h, want := range map[hand]bool{10: true, 16: true, 17: false, 20: false} {
		if got, err := draws(h, false); got != want || err != nil {
			t.Error(h, got, err)
		}
	}
	if _, err := draws(22, false); err == nil {
		t.Error("22 is a hand")
	}
}
`

// bank makes the package above with these tests, and goes there.
func bank(t *testing.T, tests string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bank")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module bank\n\ngo 1.26\n", "bank.go": mutantSource,
		"bank_test.go": tests,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// examined is the list for the package above with these tests.
func examined(t *testing.T, o mutantOptions, tests string) (list string, err error) {
	t.Helper()
	bank(t, tests)
	var b strings.Builder
	o.files = regexp.MustCompile("")
	err = o.examine([]string{"."}, &b)
	return b.String(), err
}

// What the tests above do not check is listed, and nothing else.
func TestWhatTestsLetPassIsListed(t *testing.T) {
	const want = `bank.go:16:2: survived: left out: drawn++
bank.go:10:5: survived: bound shifted: h > 21
bank.go:10:15: survived: bound shifted: h < 0
bank.go:10:19: survived: one more: 0
bank.go:11:10: survived: negated: false
bank.go:14:3: never reached: left out: return true, nil
bank.go:13:5: survived: negated: h == floor
bank.go:14:10: never reached: negated: true
bank.go:22:28: never reached: one more: 3
bank: 10 noticed, 6 survived, 3 never reached
`
	if list, err := examined(t, mutantOptions{}, mutantTest); err != nil || list != want {
		t.Errorf("%v\n%s", err, list)
	}
}

// Tests that fail on their own say nothing about mutants.
func TestFailingTestsAreRefused(t *testing.T) {
	wrong := strings.Replace(mutantTest, "10: true", "10: false", 1)
	if _, err := examined(t, mutantOptions{}, wrong); err == nil ||
		!strings.Contains(err.Error(), "fail without any mutant") {
		t.Error(err)
	}
}

// onlyInSoak is a test that runs only in make soak.
const onlyInSoak = `
func TestDrawn(t *testing.T) {
	if os.Getenv("SABOT_TIER") != "soak" {
		t.Skip()
	}
	before := drawn
	if draws(3, false); drawn != before+1 {
		t.Error(drawn)
	}
	if soft, _ := draws(17, true); !soft {
		t.Error("a soft 17 is hit")
	}
}
`

// What make test's tests let pass is tried with make soak's, if that is asked for.
func TestWhatOnlySoakNoticesIsToldApart(t *testing.T) {
	const want = `bank.go:16:2: only make soak notices: left out: drawn++
bank.go:14:3: only make soak notices: left out: return true, nil
bank.go:13:5: only make soak notices: negated: h == floor
bank.go:14:10: only make soak notices: negated: true
bank.go:10:5: survived: bound shifted: h > 21
bank.go:10:15: survived: bound shifted: h < 0
bank.go:10:19: survived: one more: 0
bank.go:11:10: survived: negated: false
bank.go:22:28: never reached: one more: 3
bank: 10 noticed (71.4 % of what any test notices), 4 only by make soak, 4 survived, 1 never reached
`
	with := strings.Replace(mutantTest, `import "testing"`, "import (\n\"os\"\n\"testing\"\n)\n\nvar _ = os.Getenv",
		1) + onlyInSoak
	if list, err := examined(t, mutantOptions{soak: true}, with); err != nil || list != want {
		t.Errorf("%v\n%s", err, list)
	}
}

// A draw says how it is made again, and is the same then.
func TestTheSameAreDrawnAgain(t *testing.T) {
	p := &mutated{mutants: make([]mutant, 1000)}
	var all []pick
	for i := range p.mutants {
		all = append(all, pick{p, i + 1})
	}
	first := drawn(all, 100, 7)
	sum := 0
	for i, m := range first {
		if sum += m.number; i > 0 && m.number <= first[i-1].number {
			t.Errorf("mutant %d comes after %d", m.number, first[i-1].number)
		}
	}
	if len(first) != 100 || sum < 40_000 || sum > 60_000 {
		t.Errorf("%d are drawn, %d on average", len(first), sum/100)
	}
	if !slices.Equal(drawn(all, 100, 7), first) || slices.Equal(drawn(all, 100, 8), first) {
		t.Error("the seed does not say which are drawn")
	}
	if len(drawn(all, 2000, 7)) != 1000 {
		t.Error("not all are drawn")
	}
	bank(t, mutantTest)
	const said = "-draw 2 -seed 9, of 19 mutants\n"
	var list strings.Builder
	o := mutantOptions{draw: 2, seed: 9, files: regexp.MustCompile("")}
	if some, err := o.picked([]string{"."}, &list); err != nil || len(some) != 2 || list.String() != said {
		t.Errorf("%v, %v\n%s", some, err, list.String())
	}
}

// The variable that says the tier is the one that tests read.
func TestVariableIsThatOfTheTier(t *testing.T) {
	if tierVariable != tier.Variable {
		t.Errorf("it is %s", tier.Variable)
	}
}
