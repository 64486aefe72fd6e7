package journal

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestFormerFound(t *testing.T) {
	for why, want := range map[string]string{
		"part-000001.jsonl: byte 317: journal is damaged: record 4 is missing": "record 4 is missing",
		"the folder has no journal, but the pit has heard of one": "the folder has no journal, but the " +
			"pit has heard of one",
	} {
		if got := (&Former{Why: why}).Found(); got != want {
			t.Errorf("of %q a display says %q, not %q", why, got, want)
		}
	}
}

// TestImpossibleHeaders: a header that says what none can is refused, one field at a time.
func TestImpossibleHeaders(t *testing.T) {
	const hash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	sound := func() Header {
		return Header{
			Part: 2, Format: format, Journal: hash[:32], Program: "sabotd test", Boot: 3, After: hash,
			Before: 1, Ends: 4711, Rules: hash,
			Coded: &Coded{By: hash[:16], Frame: mostFrames}, Above: &[2]uint64{mostNumber, mostNumber},
			Accepted: []string{hash[:16]}, Former: &Former{Folder: "set-aside-1"},
			Aside: []SetAside{{Folder: "set-aside-1", Journal: hash[:32], Record: mostNumber, Content: hash}},
			Shoes: make([][2]uint32, MostPositions),
		}
	}
	if h := sound(); h.validate() != nil {
		t.Fatal(h.validate())
	}
	for name, change := range map[string]func(h *Header){
		"the format":                        func(h *Header) { h.Format = leastFormat - 1 },
		"no part":                           func(h *Header) { h.Part = 0 },
		"no start":                          func(h *Header) { h.Boot = 0 },
		"no journal":                        func(h *Header) { h.Journal = "" },
		"a short hash":                      func(h *Header) { h.After = hash[2:] },
		"itself before it":                  func(h *Header) { h.Before = 2 },
		"a part before it without end":      func(h *Header) { h.Ends = 0 },
		"an end of no part":                 func(h *Header) { h.Before = 0 },
		"an end before the beginning":       func(h *Header) { h.Ends = -1 },
		"less than nothing after it":        func(h *Header) { h.Over = -1 },
		"half a fingerprint":                func(h *Header) { h.Rules = hash[:32] },
		"the last record":                   func(h *Header) { h.Record = mostNumber + 1 },
		"the last event":                    func(h *Header) { h.Event = mostNumber + 1 },
		"the last start":                    func(h *Header) { h.Boot = mostNumber + 1 },
		"the last part":                     func(h *Header) { h.Part = mostNumber + 1 },
		"above the last record":             func(h *Header) { h.Above[0]++ },
		"above the last event":              func(h *Header) { h.Above[1]++ },
		"a journal's name":                  func(h *Header) { h.Journal = "Z" + hash[1:32] },
		"a long program":                    func(h *Header) { h.Program = strings.Repeat("x", mostProgram+1) },
		"many shoes":                        func(h *Header) { h.Shoes = make([][2]uint32, MostPositions+1) },
		"no coded frame":                    func(h *Header) { h.Coded.Frame = 0 },
		"a frame beyond all":                func(h *Header) { h.Coded.Frame++ },
		"no key's name":                     func(h *Header) { h.Coded.By = "" },
		"codes before there were any":       func(h *Header) { h.Format = 2 },
		"a mark":                            func(h *Header) { h.Accepted[0] = "x" },
		"many marks":                        func(h *Header) { h.Accepted = slices.Repeat(h.Accepted, mostAccepted+1) },
		"much that was set aside":           func(h *Header) { h.Aside = slices.Repeat(h.Aside, mostAside+1) },
		"set aside elsewhere":               func(h *Header) { h.Aside[0].Folder = "../set-aside-1" },
		"set aside, of no journal":          func(h *Header) { h.Aside[0].Journal = "x" },
		"set aside, with many records":      func(h *Header) { h.Aside[0].Record++ },
		"set aside, with less than no file": func(h *Header) { h.Aside[0].Files = -1 },
		"set aside, with half a hash":       func(h *Header) { h.Aside[0].Content = hash[:32] },
		"replaced by one elsewhere":         func(h *Header) { h.Former.Folder = "elsewhere" },
	} {
		h := sound()
		change(&h)
		if err := h.validate(); !errors.Is(err, errFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
