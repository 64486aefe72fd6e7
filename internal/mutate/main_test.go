package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const source = `package bank

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

const tests = `package bank

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

// examined is the list for the source above with these tests.
func examined(t *testing.T, tests string) (list string, err error) {
	dir := filepath.Join(t.TempDir(), "bank")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module bank\n\ngo 1.26\n", "bank.go": source, "bank_test.go": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	o := options{files: regexp.MustCompile("")}
	err = o.examine(dir, &b)
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
	if list, err := examined(t, tests); err != nil || list != want {
		t.Errorf("%v\n%s", err, list)
	}
}

// Tests that fail on their own say nothing about mutants.
func TestFailingTestsAreRefused(t *testing.T) {
	if _, err := examined(t, strings.Replace(tests, "10: true", "10: false", 1)); err == nil || !strings.Contains(err.Error(), "fail without any mutant") {
		t.Error(err)
	}
}
