package deploy

import (
	"os"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// TestDashboardFitsGrafana reads the dashboard by Grafana's own schema, with that of each panel's options: nothing is
// missing, of another type, or unknown to it.
func TestDashboardFitsGrafana(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	raw, err := os.ReadFile("grafana/sabot-table.json")
	if err != nil {
		t.Fatal(err)
	}
	fits := func(text string) error {
		//lint:ignore SA1019 every Grafana imports this form, and only newer ones the other
		var d dashboard.Dashboard
		// one without any text is what it returns for none
		if err := d.UnmarshalJSONStrict([]byte(text)); err != nil && err.Error() != "" {
			return err
		}
		return d.Validate()
	}
	if err := fits(string(raw)); err != nil {
		t.Errorf("Grafana does not take it: %v", err)
	}
	for what, change := range map[string][2]string{
		"an option that no panel has": {`"graphMode"`, `"grafMode"`},
		"a key of another type":       {`"schemaVersion": 39`, `"schemaVersion": "39"`},
		"a panel without its kind":    {`"type": "stat",`, ``},
	} {
		wrong := strings.Replace(string(raw), change[0], change[1], 1)
		if wrong == string(raw) || fits(wrong) == nil {
			t.Errorf("%s is not noticed", what)
		}
	}
}
