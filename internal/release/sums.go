package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// sumsFile is what sha256sum --check reads, and what the maker of a release signs.
const sumsFile = "SHA256SUMS"

// writeSums lists files of a folder with their hashes.
func writeSums(folder string, files []string) error {
	var lines strings.Builder
	for _, file := range files {
		sum, err := sumOf(filepath.Join(folder, file))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s  %s\n", sum, file)
	}
	return os.WriteFile(filepath.Join(folder, sumsFile), []byte(lines.String()), 0o644)
}

// sumOf is a file's hash, as sha256sum writes it. A card has gigabytes.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// summed is a line of SHA256SUMS.
type summed struct{ sum, name string }

// readSums reads what writeSums wrote. A name that leads out of the folder is none.
func readSums(path string) (all []summed, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		sum, name, is := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !is || name == "" || name != filepath.Base(name) {
			return nil, fmt.Errorf("%s has the line %q, which names no file beside it", path, line)
		}
		all = append(all, summed{sum, name})
	}
	return all, nil
}
