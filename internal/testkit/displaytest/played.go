package displaytest

import (
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// played is what a table shows once the lines are played, then those that follow,
// in the words of tabletest. It panics where the engine refuses one or finds it irregular, which is
// a mistake in the sample.
func played(s rules.Setup, lines []string, then ...string) display.View {
	var t table.Table
	t.Step(tabletest.SetUp(s))
	said, err := tabletest.Play(&t, strings.Join(slices.Concat(lines, then), "\n"))
	if err != nil {
		panic("displaytest: " + err.Error())
	}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "rejected") || strings.HasPrefix(line, "IRREGULAR") {
			panic("displaytest: " + line + "in\n" + said)
		}
	}
	return display.From(&t, "BJ 4", 1)
}
