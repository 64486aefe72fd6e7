package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// mostWidth is how wide a line of Go may be, in characters; a tab is as wide as four.
const mostWidth = 120

// narrow says whether all lines of Go can be read without moving sideways. A raw string and what an example prints are
// as they are: neither can be broken.
func narrow(ctx context.Context) error {
	var wide strings.Builder
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (base == "node_modules" || base == "dist" || base == ".git"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(base) != ".go":
			return nil
		}
		src, err := os.ReadFile(name)
		for _, line := range wideLines(src) {
			fmt.Fprintf(&wide, "%s:%d\n", name, line)
		}
		return errors.Join(err, ctx.Err())
	})
	if err != nil {
		return err
	}
	if wide.Len() > 0 {
		return fmt.Errorf("lines of more than %d characters, break them:\n%s", mostWidth, wide.String())
	}
	return nil
}

// wideLines are the numbers of the lines of a file that are too wide and can be broken.
func wideLines(src []byte) (numbers []int) {
	lines := bytes.Split(src, []byte("\n"))
	var whole map[int]bool
	for i, line := range lines {
		if utf8.RuneCount(line)+3*bytes.Count(line, []byte("\t")) <= mostWidth {
			continue
		}
		if whole == nil {
			whole = rawLines(src)
		}
		if !whole[i+1] {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// rawLines are the numbers of the lines on which a raw string stands, or a comment that quotes a line of JSON.
func rawLines(src []byte) map[int]bool {
	raw := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	for {
		at, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return raw
		case kind == token.STRING && text[0] == '`', kind == token.COMMENT && strings.HasPrefix(text, `// {"`):
			first := file.Line(at)
			for n := range strings.Count(text, "\n") + 1 {
				raw[first+n] = true
			}
		}
	}
}
