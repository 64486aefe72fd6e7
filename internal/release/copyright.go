package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Copyright writes Debian's file of copyrights for a package: Sabot's own terms, then those of
// each part that is linked into its programs, word for word. The year is that of the release.
func Copyright(year int, parts []Part) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, copyrightHead, year)
	for _, p := range parts {
		fmt.Fprintf(b, "\nFiles: %s\nCopyright: %s\nLicense: %s\n", p.pattern(),
			strings.Join(p.holders(), "\n           "), debianName(p))
		for i, l := range p.Licences {
			if i > 0 {
				b.WriteString(" .\n")
			}
			fmt.Fprintf(b, " [%s]\n .\n%s", l.File, paragraph(l.terms()))
		}
	}
	b.WriteString("\nLicense: Apache-2.0\n" + paragraph(apacheHere))
	return b.String()
}

const copyrightHead = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Sabot
Source: https://github.com/sabot-table/sabot
Comment:
 The programs are linked statically. After Sabot's own terms come those of each
 library that is in them, as its files state them; the file sbom.cdx.json, where
 there is one, lists the same libraries for machines.

Files: *
Copyright: %d The authors of Sabot
License: Apache-2.0
`

// pattern is the part as Debian's file names files: as they lie in Go's cache of modules.
func (p Part) pattern() string { return p.Path + "@" + p.Version + "/*" }

func (p Part) holders() (lines []string) {
	for _, l := range p.Licences {
		for _, line := range l.Holders {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	if lines == nil {
		return []string{"as the terms below state it"}
	}
	return lines
}

// names lists the licences of a part, each once.
func (p Part) names() (names []string) {
	for _, l := range p.Licences {
		for _, name := range l.Names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// debianName is the short name of a part's terms. It ends with the part's, since each has a text
// with names of its own.
func debianName(p Part) string {
	base := path.Base(p.Path)
	if parent := path.Base(path.Dir(p.Path)); parent != "." {
		base = parent + "-" + base
	}
	names := p.names()
	for i, name := range names {
		if name == "MIT" {
			name = "Expat" // Debian's name for it
		}
		names[i] = name + "~" + base
	}
	return strings.Join(names, "-and-")
}

// apacheTitle begins the text that every Debian system has, and apacheHere says where.
const (
	apacheTitle = "Apache License"
	apacheHere  = "Licensed under the Apache License, Version 2.0. On Debian systems its full text\nis in " +
		"/usr/share/common-licenses/Apache-2.0."
)

// terms is a licence's text; for the Apache License, which is long and on every Debian
// system, only where it is, unless it is one of several in a file.
func (l Licence) terms() string {
	if len(l.Names) == 1 && l.Names[0] == "Apache-2.0" && strings.HasPrefix(strings.TrimSpace(l.Text), apacheTitle) {
		return apacheHere
	}
	return l.Text
}

// paragraph indents a text as the value of a field: an empty line becomes a dot.
func paragraph(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(text, "\r", "")), "\n") {
		if line = strings.TrimRight(line, " \t\f"); strings.Trim(line, " \t\f") == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.String()
}
