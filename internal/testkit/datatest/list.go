package datatest

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// List keeps a list that is made from the program's rows in a page, between two marks that stand there. With -rewrite
// it writes it anew.
func List(t testing.TB, page, begin, end, list string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for a list between %q and %q", page, begin, end)
	}
	want := before + begin + "\n" + list + "\n" + end + after
	if want == string(text) {
		return
	}
	if flag.Lookup("rewrite").Value.String() != "true" {
		t.Fatalf("the list after %q in %s is not that of the rows: run this package's tests with -rewrite", begin, page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
