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
// signature says the file's name, so that one file cannot pass for another. Of a folder it signs
// what was released there.
func sign(keyFile, password string, paths []string) error {
	var files []string
	for _, path := range paths { // before anything is signed
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		released, err := releasedIn(path)
		if err != nil {
			return err
		}
		files = append(files, released...)
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

// releasedIn are SHA256SUMS in a folder and the files that it lists: those that were made together, and
// as they were made. What else lies there may be of another version.
func releasedIn(folder string) ([]string, error) {
	sums := filepath.Join(folder, sumsFile)
	listed, err := readSums(sums)
	if err != nil {
		return nil, fmt.Errorf("%w; make packages or image writes it", err)
	}
	files := []string{sums}
	for _, l := range listed {
		path := filepath.Join(folder, l.name)
		got, err := sumOf(path)
		if err != nil {
			return nil, err
		}
		if got != l.sum {
			return nil, fmt.Errorf("%s is not as %s lists it: make it again", path, sums)
		}
		files = append(files, path)
	}
	return files, nil
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
// with which everybody can check signatures. It replaces no file. encrypt is minisign.EncryptKey,
// or what takes less time in tests.
func newKey(file, password string, encrypt func(string, minisign.PrivateKey) ([]byte, error)) error {
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
	encrypted, err := encrypt(password, private)
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
