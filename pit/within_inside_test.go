package pit

import (
	"context"
	"errors"
	"testing"

	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
)

// taking takes all commands, and keeps to which tables they went.
type taking struct{ to []topic.Table }

func (c *taking) Takes(topic.Table, string) bool { return true }

func (c *taking) Send(_ context.Context, t topic.Table, _ command.Command) (command.Result, error) {
	c.to = append(c.to, t)
	return command.Result{}, nil
}

// TestCommandsWithinSites: whoever is limited to sites commands no table of another one, also where a page asks for it.
func TestCommandsWithinSites(t *testing.T) {
	all := &taking{}
	desk := deskWithin{all, "north west"}
	for _, c := range []struct {
		site string
		may  bool
	}{{"north", true}, {"west", true}, {"south", false}, {"nor", false}, {"north-west", false}} {
		table, err := topic.NewTable(c.site, "bj-1")
		if err != nil {
			t.Fatal(err)
		}
		all.to = nil
		_, err = desk.Send(t.Context(), table, command.Command{})
		if takes := desk.Takes(table, "anna"); takes != c.may || (err == nil) != c.may || (len(all.to) == 1) != c.may ||
			!c.may && !errors.Is(err, errElsewhere) {
			t.Errorf("%s: takes %t, sent to %v, %v", c.site, takes, all.to, err)
		}
	}
}
