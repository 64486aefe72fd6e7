package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// typed is a file from which a command reads its password.
func typed(t *testing.T, password string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "typed")
	if err := os.WriteFile(path, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func release(t *testing.T, password string, args ...string) error {
	t.Helper()
	return run(context.Background(), args, typed(t, password), &bytes.Buffer{})
}

// debianSays has Debian's minisign judge a file.
func debianSays(key, file string) (string, error) {
	out, err := exec.Command("minisign", "-V", "-p", key, "-m", file).CombinedOutput()
	return string(out), err
}

// TestSign: what is signed with a key of release, or with one of Debian's minisign, is good for
// both; anything that was changed, or signed by somebody else, is not.
func TestSign(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := release(t, "secret", "key", at("ours")); err != nil {
		t.Fatal(err)
	}
	theirs, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := theirs.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("theirs.pub"), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	sums := at(sumsFile)
	if err := os.WriteFile(sums, []byte("0123  sabot_1.2.3_arm64.deb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := release(t, "secret", "sign", "--key", at("ours"), sums); err != nil {
		t.Fatal(err)
	}
	if said, err := debianSays(at("ours.pub"), sums); err != nil || !strings.Contains(said, "Trusted comment: file:"+sumsFile) {
		t.Errorf("Debian's minisign: %v\n%s", err, said)
	}
	if said, err := debianSays(at("theirs.pub"), sums); err == nil || !strings.Contains(said, "key id") {
		t.Errorf("another key's signature is judged %v:\n%s", err, said)
	}
	if info, err := os.Stat(at("ours")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the key: %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(sums, []byte("0124  sabot_1.2.3_arm64.deb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, err := debianSays(at("ours.pub"), sums); err == nil {
		t.Errorf("the signature of another content is good:\n%s", said)
	}
	signsFolder(t, at("ours"))
	refuses(t, at("ours"))
}

// signsFolder: one command signs all that was released in a folder, so that sabot update takes each package: SHA256SUMS, and
// what it lists, as it lists it. What else lies there is not signed.
func signsFolder(t *testing.T, key string) {
	t.Helper()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	released := []string{"sabot_1.2.3_arm64.deb", "sabot-kiosk_1.2.3_all.deb"}
	for _, name := range append(released, "sabot_1.2.2_arm64.deb") {
		if err := os.WriteFile(at(name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := release(t, "secret", "sign", "--key", key, folder); err == nil || !strings.Contains(err.Error(), sumsFile) {
		t.Errorf("without %s it says %v", sumsFile, err)
	}
	if err := writeSums(folder, released); err != nil {
		t.Fatal(err)
	}
	if err := release(t, "secret", "sign", "--key", key, folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(released, sumsFile) {
		if said, err := debianSays(key+".pub", at(name)); err != nil || !strings.Contains(said, "Trusted comment: file:"+name) {
			t.Errorf("Debian's minisign: %v\n%s", err, said)
		}
	}
	if _, err := os.Stat(signatureOf(at("sabot_1.2.2_arm64.deb"))); err == nil {
		t.Error("a package that was not released is signed")
	}
	for name, spoil := range map[string]func() error{
		"a changed package": func() error { return os.WriteFile(at(released[1]), []byte("another"), 0o644) },
		"a path":            func() error { return os.WriteFile(at(sumsFile), []byte("00  ../other\n"), 0o644) },
	} {
		before := signatureOf(at(released[0]))
		if err := errors.Join(os.Remove(before), spoil()); err != nil {
			t.Fatal(err)
		}
		if err := release(t, "secret", "sign", "--key", key, folder); err == nil {
			t.Errorf("%s is signed", name)
		}
		if _, err := os.Stat(before); err == nil {
			t.Errorf("in spite of %s, others are signed", name)
		}
		if err := os.WriteFile(before, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSignWithDebiansKey: a maker who has a key of Debian's minisign signs with that.
func TestSignWithDebiansKey(t *testing.T) {
	folder := t.TempDir()
	key, public, file := filepath.Join(folder, "key"), filepath.Join(folder, "key.pub"), filepath.Join(folder, "file")
	make := exec.Command("minisign", "-G", "-s", key, "-p", public)
	make.Stdin = strings.NewReader("secret\nsecret\n")
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s; apt-get install minisign", err, out)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := release(t, "secret", "sign", "--key", key, file); err != nil {
		t.Fatal(err)
	}
	if said, err := debianSays(public, file); err != nil {
		t.Errorf("Debian's minisign: %v\n%s", err, said)
	}
	p, err := minisign.PublicKeyFromFile(public)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := os.ReadFile(signatureOf(file))
	if err != nil || !minisign.Verify(p, nil, signature) {
		t.Errorf("our own library does not find it good, %v", err)
	}
}

// refuses: nothing is signed, and no key made, when something is wrong.
func refuses(t *testing.T, key string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("content"), 0o644); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a wrong password":   release(t, "other", "sign", "--key", key, file),
		"no key":             release(t, "secret", "sign", file),
		"no file":            release(t, "secret", "sign", "--key", key),
		"a missing file":     release(t, "secret", "sign", "--key", key, file, file+".not"),
		"a key that exists":  release(t, "secret", "key", key),
		"a key without word": release(t, "", "key", key+"2"),
		"nothing":            release(t, "secret"),
		"something unknown":  release(t, "secret", "publish"),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	after, err := os.ReadFile(key)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the key was changed, %v", err)
	}
	for _, none := range []string{signatureOf(file), key + "2"} {
		if _, err := os.Stat(none); err == nil {
			t.Errorf("%s was made", none)
		}
	}
}
