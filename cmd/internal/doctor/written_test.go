package doctor

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/health"
)

var rewrite = flag.Bool("rewrite", false, "write the list in docs/doctor.md anew")

// TestWritten keeps the list of what doctor finds in its page.
func TestWritten(t *testing.T) {
	var list strings.Builder
	list.WriteString("| found | severity | what it means | what to do |\n|---|---|---|---|\n")
	for _, row := range health.Outside {
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s |\n", row.Code, row.Severity, row.Meaning, row.Do)
	}
	const file, begin, end = "../../../docs/doctor.md", "<!-- outside -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the list", file)
	}
	want := before + begin + "\n" + list.String() + "\n" + end + after
	if *rewrite {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("%s is not what the rows say: run go test ./cmd/internal/doctor -rewrite", file)
	}
}
