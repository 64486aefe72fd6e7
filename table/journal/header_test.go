package journal

import "testing"

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
