package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"aead.dev/minisign"
)

// signatureOf is the file of a detached signature, as minisign names it.
func signatureOf(file string) string { return file + ".minisig" }

// sign signs files with the key of whoever makes the release, one signature beside each. The
// signature says the file's name, so that one file cannot pass for another.
func sign(keyFile, password string, files []string) error {
	for _, file := range files { // before anything is signed
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	key, err := minisign.PrivateKeyFromFile(password, keyFile)
	if err != nil {
		return fmt.Errorf("the key %s: %w", keyFile, err)
	}
	for _, file := range files {
		if err := signOne(key, file); err != nil {
			return err
		}
	}
	return nil
}

func signOne(key minisign.PrivateKey, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close() // it was only read
	reader := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, reader); err != nil {
		return err
	}
	signature := reader.SignWithComments(key, "file:"+filepath.Base(file), "signature of a release of Sabot")
	return os.WriteFile(signatureOf(file), signature, 0o644)
}

// newKey makes a key for signing releases: FILE, encrypted with the password, and FILE.pub,
// with which everybody can check signatures. It replaces no file.
func newKey(file, password string) error {
	if password == "" {
		return errors.New("a key that signs releases has a password: give one")
	}
	for _, f := range []string{file, file + ".pub"} {
		if _, err := os.Lstat(f); err == nil {
			return fmt.Errorf("%s exists: give another name, for a key that is lost checks no release any more", f)
		}
	}
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		return err
	}
	encrypted, err := minisign.EncryptKey(password, private)
	if err != nil {
		return err
	}
	text, err := public.MarshalText()
	if err != nil {
		return err
	}
	if err := create(file, encrypted, 0o600); err != nil {
		return err
	}
	return create(file+".pub", append(text, '\n'), 0o644)
}

// create writes a file that does not exist yet.
func create(name string, content []byte, mode os.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
