package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTable reads what go test says of two attacks, one of which got through.
func TestTable(t *testing.T) {
	said := strings.Join([]string{
		`{"Action":"start","Package":"p"}`,
		`{"Action":"output","Package":"p","Test":"TestAttackKeys","Output":"=== RUN   TestAttackKeys\n"}`,
		`{"Action":"output","Package":"p","Test":"TestAttackKeys","Output":"    keys_test.go:9: ATTACK\tguessed keys\t1000\t0\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestAttackKeys"}`,
		`{"Action":"output","Package":"p","Test":"TestAttackPINs","Output":"    pins_test.go:9: ATTACK\tguessed PINs\t7\t1\n"}`,
		`{"Action":"output","Package":"p","Test":"TestAttackPINs","Output":"    pins_test.go:9: guessed PINs: 1 of 7 tries got through\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestAttackPINs"}`,
	}, "\n")
	counts, failures, err := read(strings.NewReader(said))
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := write(&table, counts); err != nil {
		t.Fatal(err)
	}
	want := "attack        tries  got through  test\n" +
		"guessed keys  1000   0            TestAttackKeys\n" +
		"guessed PINs  7      1            TestAttackPINs\n"
	if table.String() != want {
		t.Errorf("the table is\n%s\nand not\n%s", table.String(), want)
	}
	if len(failures) != 1 || !strings.Contains(failures[0], "1 of 7 tries got through") {
		t.Errorf("the failures are %q", failures)
	}
	if _, _, err := read(strings.NewReader("panic: no JSON")); err == nil {
		t.Error("what is not JSON is taken for what go test says")
	}
}

// TestPackagesWithAttacks finds the packages with attacks, each once, and no others.
func TestPackagesWithAttacks(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"a/one_test.go":              "package a\n\nfunc TestAttackOne(t *testing.T) {}\n",
		"a/two_test.go":              "package a\n\nfunc TestAttackTwo(t *testing.T) {}\n",
		"b/b_test.go":                "package b\n\nfunc TestOther(t *testing.T) {}\n",
		"c/c.go":                     "package c\n\nfunc TestAttackNothing() {}\n",
		"node_modules/d/one_test.go": "package d\n\nfunc TestAttackOne(t *testing.T) {}\n",
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	got, err := attacked(".")
	if err != nil || !slices.Equal(got, []string{"./a"}) {
		t.Errorf("the packages are %q, %v", got, err)
	}
}
