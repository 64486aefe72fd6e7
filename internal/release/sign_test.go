package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/scrypt"

	"github.com/sabot-table/sabot/internal/testkit/tier"
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

// quickly encrypts a key as minisign does, but so that its password takes a thousandth of the work. That is written in
// the key, which is read as any other.
func quickly(password string, private minisign.PrivateKey) ([]byte, error) {
	open, err := private.MarshalText()
	if err != nil {
		return nil, err
	}
	comment, code, _ := bytes.Cut(open, []byte("\n"))
	key, err := base64.StdEncoding.DecodeString(string(code))
	if err != nil {
		return nil, err
	}
	const ops, memory, n, r, p = 1 << 15, 1 << 24, 1 << 10, 8, 1 // minisign makes n, r and p from the first two
	copy(key[2:], "Sc")
	copy(key[6:38], "salt that is not drawn")
	binary.LittleEndian.PutUint64(key[38:], ops)
	binary.LittleEndian.PutUint64(key[46:], memory)
	sum := blake2b.Sum256(append([]byte("Ed"), key[54:126]...))
	copy(key[126:], sum[:])
	stream, err := scrypt.Key([]byte(password), key[6:38], n, r, p, len(key)-54)
	if err != nil {
		return nil, err
	}
	for i, k := range stream {
		key[54+i] ^= k
	}
	return fmt.Appendf(nil, "%s\n%s\n", comment, base64.StdEncoding.EncodeToString(key)), nil
}

// TestSign: what is signed is good for Debian's minisign; anything that was changed, or signed by somebody else, is
// not.
func TestSign(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := newKey(at("ours"), "secret", quickly); err != nil {
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
	if said, err := debianSays(at("ours.pub"), sums); err != nil ||
		!strings.Contains(said, "Trusted comment: file:"+sumsFile) {
		t.Errorf("Debian's minisign: %v\n%s", err, said)
	}
	if said, err := debianSays(at("theirs.pub"), sums); err == nil || !strings.Contains(said, "key id") {
		t.Errorf("another key's signature is judged %v:\n%s", err, said)
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

// signsFolder: one command signs all that was released in a folder, so that sabot update takes each package:
// SHA256SUMS, and what it lists, as it lists it. What else lies there is not signed.
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
	if err := release(t, "secret", "sign", "--key", key, folder); err == nil ||
		!strings.Contains(err.Error(), sumsFile) {
		t.Errorf("without %s it says %v", sumsFile, err)
	}
	if err := writeSums(folder, released); err != nil {
		t.Fatal(err)
	}
	if err := release(t, "secret", "sign", "--key", key, folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(released, sumsFile) {
		if said, err := debianSays(key+".pub", at(name)); err != nil ||
			!strings.Contains(said, "Trusted comment: file:"+name) {
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

// TestKey: a key is for its owner's eyes and a password; it replaces no other.
func TestKey(t *testing.T) {
	key := filepath.Join(t.TempDir(), "ours")
	if err := newKey(key, "secret", quickly); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(key)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the key: %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(key)
	if err != nil || !minisign.IsEncrypted(text) {
		t.Errorf("the key is readable without a password, %v", err)
	}
	if err := release(t, "secret", "key", key); err == nil {
		t.Error("it is made a second time")
	}
	if after, err := os.ReadFile(key); err != nil || !bytes.Equal(text, after) {
		t.Errorf("the key was changed, %v", err)
	}
}

// TestSignWithOwnKey: what is signed with a key of release is good for Debian's minisign, and only its password opens
// it.
func TestSignWithOwnKey(t *testing.T) {
	tier.Soak(t, "a real key takes seconds to open")
	folder := t.TempDir()
	key, file := filepath.Join(folder, "key"), filepath.Join(folder, "file")
	if err := errors.Join(release(t, "secret", "key", key), os.WriteFile(file, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := release(t, "other", "sign", "--key", key, file); err == nil {
		t.Error("a wrong password opens it")
	}
	if err := release(t, "secret", "sign", "--key", key, file); err != nil {
		t.Fatal(err)
	}
	if said, err := debianSays(key+".pub", file); err != nil {
		t.Errorf("Debian's minisign: %v\n%s", err, said)
	}
}

// TestSignWithDebiansKey: a maker who has a key of Debian's minisign signs with that.
func TestSignWithDebiansKey(t *testing.T) {
	tier.Soak(t, "a real key takes seconds to make, and to open")
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
