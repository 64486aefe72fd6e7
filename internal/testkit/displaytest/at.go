package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// At is what a house's table shows once a line of notation is played, whatever the engine
// answers. It panics on what is no notation, which is a mistake in the test.
func At(house, line string) display.View {
	var t table.Table
	t.Step(tabletest.SetUp(rules.Setup{House: house}))
	if _, err := tabletest.Play(&t, line); err != nil {
		panic("displaytest: " + err.Error())
	}
	return display.From(&t, "BJ 4", 1)
}
