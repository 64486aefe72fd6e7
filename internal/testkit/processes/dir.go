package processes

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
)

// FastDir returns a folder for a journal whose durability is not under test.
func FastDir(t testing.TB) string { return tabletest.FastDir(t) }
