package main

import (
	"crypto/sha256"
	"fmt"
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
		content, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), file)
	}
	return os.WriteFile(filepath.Join(folder, sumsFile), []byte(lines.String()), 0o644)
}
