package image

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestProgress: what takes half an hour says what it does, as it comes; its failure says all that it printed.
func TestProgress(t *testing.T) {
	program := filepath.Join(t.TempDir(), "slow")
	text := "#!/bin/sh\necho 'I: downloading packages' >&2; echo 'W: a warning' >&2; printf 'I: instal' >&2; echo " +
		"'ling packages' >&2; exit $1\n"
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	var said []string
	b := builder{Order: Order{Told: func(what string) { said = append(said, what) }}, ctx: t.Context()}
	if _, err := b.watch(b.progress(), program, "0"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"    0 min  downloading packages", "    0 min  installing packages"}; !slices.Equal(said,
		want) {
		t.Errorf("it tells %q, not %q", said, want)
	}
	if _, err := b.watch(b.progress(), program, "3"); err == nil || !strings.Contains(err.Error(), "W: a warning") {
		t.Errorf("its failure is %v", err)
	}
}
