package brokertest_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// TestValidBites: a message with anything that its schema does not say is not valid.
func TestValidBites(t *testing.T) {
	const name, event = "sabot/v1/wiesbaden/bj1/event",
		`{"id":"x","site":"wiesbaden","table":"bj1","boot":7,"sequence":1,"time":"2026-03-29T20:01:02.000000003Z",` +
			`"type":"due","round":1,"data":{"out":"due","to":"call","box":3,"hand":1,"allowed":["card","rest"]}}`
	if err := brokertest.ValidSchema(name, []byte(event)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"boot":7`, `"boot":"7"`},
		{`"boot":7,`, ``},
		{`"boot":7`, `"boot":7,"foot":8`},
		{`"wiesbaden"`, `"Wiesbaden"`},
		{`"2026-03-29T`, `"29.3.2026 `},
		{`"sequence":1`, `"sequence":0`},
		{`"out":"due"`, `"out":"dues"`},
		{`"rest"`, `"roost"`},
		{`,"allowed":["card","rest"]`, ``},
		{`"call","box":3,"hand":1,`, `"box",`},
		{`"hand":1`, `"hand":1,"total":3`},
		{`"box":3`, `"box":null`},
		{`"to":"call"`, `"to":"payment"`},
	} {
		if err := brokertest.ValidSchema(name, []byte(strings.Replace(event, change[0], change[1], 1))); err == nil {
			t.Errorf("an event with %q is valid", change[1])
		}
	}
	if brokertest.ValidSchema("sabot/v1/wiesbaden/bj1/weather", []byte("{}")) == nil {
		t.Error("a topic that there is not is valid")
	}
}
