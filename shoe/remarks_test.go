package shoe_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/shoe"
)

// TestRemarks: the first time at once, later ones as a sum, each thing on its own.
func TestRemarks(t *testing.T) {
	var b shoe.Remarks
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	start := time.Unix(1000, 0)
	said := func(after time.Duration) string {
		log.Reset()
		for _, s := range b.Due(start.Add(after)) {
			s.Log(logger)
		}
		var lines []string
		for line := range strings.Lines(log.String()) {
			_, rest, _ := strings.Cut(line, "msg=")
			lines = append(lines, strings.TrimSpace(rest))
		}
		return strings.Join(lines, "; ")
	}
	note := func(text string, times int, last error) {
		for range times {
			b.Note(text, last)
		}
	}
	for _, step := range []struct {
		after time.Duration
		note  func()
		want  string
	}{
		{0, func() {}, ""},
		{0, func() { note("noise", 1, nil) }, `"shoe: noise" count=1`},
		{shoe.RemarksEvery - 1, func() { note("noise", 3, nil); note("noise", 1, errors.New("a spark")) }, ""},
		{shoe.RemarksEvery - 1, func() { note("hum", 2, nil) }, `"shoe: hum" count=2`},
		{shoe.RemarksEvery, func() {}, `"shoe: noise" count=4 last="a spark"`},
		{2*shoe.RemarksEvery - 1, func() { note("noise", 1, nil) }, ""},
		{5 * shoe.RemarksEvery, func() {}, `"shoe: noise" count=1`},
	} {
		step.note()
		if got := said(step.after); got != step.want {
			t.Errorf("after %v got %s, want %s", step.after, got, step.want)
		}
	}
}
