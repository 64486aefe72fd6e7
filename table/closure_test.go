package table_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// closure is all that the round engine is built of, each package with the reason for
// which it is needed. The runtime, which is in every Go program, is left out.
var closure = map[string]string{
	"table": "the engine", "shoe/card": "what comes out of a shoe",
	"table/vocab": "what is put in, and what follows", "table/hand": "what cards count",
	"table/money": "what stakes bring", "table/rules": "what the house plays",
	"table/sidebet": "which cards win a side bet", "table/irregularity": "what holds a round, and what puts it right",
	"table/plaintext": "the names of enumerations, and the little that the leaves need of strings",

	"errors": "a text that is refused says why", "strconv": "numbers in texts",
	"slices": "lists", "cmp": "slices orders by it", "iter": "slices yields by it", "math/bits": "sets are bits",
	"unicode": "what a space is in a profile's text", "unicode/utf8": "strconv quotes by it",
	"internal/reflectlite":  "errors finds a wrapped one by it",
	"internal/unsafeheader": "internal/reflectlite reads slices by it",
}

// forbidden says what each family of packages would bring into the engine.
var forbidden = []struct{ family, why string }{
	{"fmt", "fmt brings os, io and sync: write texts with strconv, which is also faster"},
	{"strings", "strings brings io and sync: table/plaintext has the little that is needed"},
	{"bytes", "bytes brings io and sync: table/plaintext has the little that is needed"},
	{"reflect", "the engine knows its types: what reads or writes any of them is made around it"},
	{"go.yaml.in/yaml", "the engine reads no files: table/profile does"},
	{"internal/strictyaml", "the engine reads no files: table/profile does"},
	{"os", "the engine does no I/O: what it decides must not depend on the machine"},
	{"io", "the engine does no I/O: what it decides must not depend on the machine"},
	{"net", "the engine does no I/O: what it decides must not depend on the machine"},
	{"syscall", "the engine does no I/O: what it decides must not depend on the machine"},
	{"time", "the engine has no clock: time is a field of its inputs, else a replay would differ"},
	{"math/rand", "the engine has no chance in it, else a replay would differ"},
	{"crypto/rand", "the engine has no chance in it, else a replay would differ"},
	{"sync", "the engine starts no goroutine and shares nothing: the runner is the only loop"},
	{"context", "the engine waits for nothing: the runner is the only loop"},
	{"log", "the engine says what it has to say in its outputs: the edge logs"},
	{"encoding", "the engine knows no text format: table/transcript does"},
	{"crypto", "the engine proves nothing: the journal does"},
	{"unsafe", "the engine does not look behind its types"},
	{"device", "the engine knows cards and presses, not ports and pins"},
	{"shoe", "the engine knows cards, not the shoes they leave: only shoe/card"},
	{"firmware-protocol", "the engine knows cards, not the shoes they leave"},
	{"sim-hardware", "the engine does not know that it is tested"},
	{"display", "views are made of the engine, not by it"},
	{"pit", "views are made of the engine, not by it"},
	{"cmd", "nobody imports a command"},
	{"table", "the engine imports its leaves; transcript, journal and runner are made around it"},
}

func whyForbidden(what string) string {
	for _, f := range forbidden {
		if within(what, f.family) {
			return f.why
		}
	}
	return "it is not among what the engine needs; think twice, and then add it to this list"
}

// TestEngineClosure pins what the round engine is made of: nothing but data and sums, not
// through any package that it imports either.
func TestEngineClosure(t *testing.T) {
	runtime, found := closureOf(t, "runtime"), closureOf(t, ".")
	for _, pkg := range found {
		if _, needed := closure[pkg]; !needed && !slices.Contains(runtime, pkg) {
			t.Errorf("the engine is built with %s: %s", pkg, whyForbidden(pkg))
		}
	}
	for pkg := range closure {
		if !slices.Contains(found, pkg) {
			t.Errorf("the engine is built without %s: take it out of the list", pkg)
		}
	}
	for _, i := range moduleImports(t) {
		_, engine := closure[i.by]
		if _, needed := closure[i.what]; engine && !needed { // such as unsafe, which the runtime imports
			t.Errorf("%s: the engine imports %s: %s", i.where, i.what, whyForbidden(i.what))
		}
	}
}

// closureOf lists a package and all that it imports, directly or not. Those of the module
// are written from its root.
func closureOf(t *testing.T, pkg string) []string {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", pkg, err)
	}
	return strings.Fields(strings.ReplaceAll(string(list), module, ""))
}
