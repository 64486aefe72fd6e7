package doctor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
)

// TestWritten keeps the list of what doctor finds in its page.
func TestWritten(t *testing.T) {
	var list strings.Builder
	list.WriteString("| found | severity | what it means | what to do |\n|---|---|---|---|\n")
	for _, row := range health.Rows {
		if !row.Seen() {
			fmt.Fprintf(&list, "| `%s` | %s | %s | %s |\n", row.Code, row.Severity, row.Meaning(), row.Do())
		}
	}
	datatest.List(t, "../../../docs/doctor.md", "<!-- outside -->\n", "<!-- end -->", list.String())
}
