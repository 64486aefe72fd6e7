//go:build unix

package doctor

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestNoRights: whoever may not read the configuration is told what was not seen, and nothing of it is said to be
// right. Root may read everything, which proves nothing: as root the test runs itself as the user nobody.
func TestNoRights(t *testing.T) {
	if os.Geteuid() == 0 {
		system.AsNobody(t)
		return
	}
	b := newBench(t)
	b.examine()
	if err := os.Chmod(b.config, 0); err != nil {
		t.Fatal(err)
	}
	p := b.examine()
	var text strings.Builder
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, a := range []health.Area{
		health.AreaConfiguration, health.AreaDaemon, health.AreaRecord, health.AreaDevices,
		health.AreaPit, health.AreaPage, health.AreaDisk, health.AreaBackup,
	} {
		seen := !slices.ContainsFunc(p.Unseen, func(u Unseen) bool { return u.Area == a })
		if seen || slices.Contains(p.Right, a) {
			t.Errorf("%s is said to have been seen:\n%s", a, text.String())
		}
	}
	if len(found(p)) > 0 || !strings.Contains(text.String(),
		"permission denied: ask again as root, sudo sabot doctor") {
		t.Errorf("it says\n%s", text.String())
	}
}
