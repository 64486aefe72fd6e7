package strictyaml

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/internal/diag"
)

// suggest names the known key that was probably meant, or all of them.
func suggest(written string, known []string) string {
	if meant, ok := diag.Meant(written, known); ok {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	return "known here: " + strings.Join(known, ", ")
}
