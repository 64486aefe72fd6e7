package deploy_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/pit"
)

// TestGroupConfigs: the pit takes the configurations of the hub and of its sites; each site of the list has a file, and
// each file is of a site of the list.
func TestGroupConfigs(t *testing.T) {
	parse := func(file string) pit.Config {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := pit.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	hub := parse("group/hub.yaml")
	files, err := filepath.Glob("group/site-*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var listed, found []string
	for _, one := range hub.Sites.List {
		listed = append(listed, one.Name)
	}
	for _, file := range files {
		c := parse(file)
		if found = append(found, c.Site); file != "group/site-"+c.Site+".yaml" || c.Hub == nil ||
			c.MQTT.Reader == hub.MQTT.Reader {
			t.Errorf("%s is of the site %s, with the hub %v, and asks as %s", file, c.Site, c.Hub, c.MQTT.Reader)
		}
	}
	if slices.Sort(listed); !slices.Equal(listed, found) {
		t.Errorf("the hub lists %v, and there are %v", listed, found)
	}
}
