package displaytest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// hold is a round that an irregularity holds.
type hold struct{ name, house, line string }

// holds are rounds that each irregularity of the game holds, in the houses in which it
// looks different, and some that one of the record holds: ofRecord has the others.
var holds = []hold{
	{"unread-card", "wiesbaden", playing + "; card; ??"},
	{"unread-card-bank", "schaffhausen", playing + "; rest; rest; ??"},
	{"unread-card-idle", "st-moritz", playing + "; rest; rest; 9D; paid; ??"},
	{"unexpected-card", "schaffhausen", "open; stake 1 anna 20; stake 4 ben 50; 7D"},
	{"unexpected-card-idle", "wiesbaden", "TS"},
	{"unexpected-card-insurance", "mendrisio", "open; stake 1 anna 20; stake 4 ben 50; close; TS 9D AH 8C 7C; 4S"},
	{
		"unexpected-card-payment", "st-moritz",
		"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 8C 7C; card; 6H; card; 9S; 2S",
	},
	{"card-without-call", "wiesbaden", playing + "; 5D"},
	{
		"card-without-call-split", "schaffhausen",
		"open; stake 1 anna 20; stake 4 ben 50; stake 4 chiara 20; close; 8S 9D 9H 8C 7C; split; TD; 5D",
	},
	{"card-without-forecast", "baden", "open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H; 5D"},
	{"bank-overdraw", "wiesbaden", playing + "; rest; rest; 9D; 2S"},
	{"bank-overdraw-james", "baden", "open; stake 1 anna 20; close; TS 9D; rest; 9S 5S"},
	{"foreign-card", "wiesbaden", foreign},
	{"foreign-card-shoe", "mendrisio", foreign},
	{"foreign-joker", "st-moritz", playing + "; card; JOKER"},
	{"second-joker", "wiesbaden", playing + "; card; JOKER; JOKER"},
	{"lost-cards", "schaffhausen", playing + "; card; shoe gap 2"},
	{"lost-cards-unknown", "baden", "open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H; higher; shoe gap"},
	{"payout-mismatch", "wiesbaden", winning + "; paid box 1 40"},
	{"payout-mismatch-all", "schaffhausen", winning + "; paid 40"},
	{"shoe-offline", "wiesbaden", playing + "; card; shoe offline"},
	{"shoe-alarm", "mendrisio", playing + "; card; shoe alarm cover"},
	{"storage-failing", "baden", "open; stake 1 anna 20; close; TS 9D; storage failing"},
	{"shoe-exhausted", "schaffhausen", exhausted},
	{"shoe-due", "schaffhausen", winning + "; shoe cut-card; paid; open from=panel"},
	{"shoe-due-baden", "baden", "open; stake 1 anna 20; close; TS 9D; rest; shoe cut-card; KH; paid; open from=panel"},
	{"journal-touched-long", "st-moritz", playing + "; card; storage touched " +
		strings.Repeat("part-3-was-deleted,", 5)},
	{
		"replay-differs-james", "baden",
		"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H; storage differs record-7",
	},
	{"held-by-hand", "wiesbaden", playing + "; card; 8S; hold dealer by=anna because=card"},
	{"held-by-hand-corrected", "mendrisio", winning +
		`; hold dealer because="the guest on box 4 says that the five was a six of hearts"; correct rename 6 8D by=s1`},
	{"held-by-hand-idle", "baden", "hold dealer"},
	{"big-win", "every-bet", "open; stake 1 anna 20; stake 4 ben 50; stake 4 ben 30 twins; close; TS 8D 9H 3C 8C"},
	{"big-win-hand", "big-win", "open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 6H 8C 9C; rest; rest; TC TD"},
	{"jackpot-asked", "linked", "meter 20000.50 entry=17; " + tabletest.WinsJackpot},
	{"journal-new-idle", "wiesbaden", "storage new the-journal-is-missing"},
	{"replay-differs-idle", "wiesbaden", "storage differs"},
	{"long", "wiesbaden", playing + "; card; shoe alarm " + strings.Repeat("cover-open-", 9)},
	{"several", "wiesbaden", playing + "; card; ??; shoe alarm cover; shoe offline; 5D 9C"},
}

// ofRecord are rounds that each irregularity of the record holds.
func ofRecord() (all []hold) {
	for event := range vocab.EveryStorageEvent {
		if event.Holds() {
			all = append(all, hold{event.Raises().String(), "schaffhausen", playing + "; card; storage " +
				event.String() + " part-3-was-deleted"})
		}
	}
	return all
}

// playing is a round in which the first box is asked.
const playing = "open; stake 1 anna 20; stake 1 ben 10; stake 4 chiara 50; close; TS 9D 9H 3C 7C"

// winning is a round of which the first box wins.
const winning = "open; stake 1 anna 20; stake 1 ben 10; stake 4 chiara 50; close; TS 9D 9H TC 7C; rest; rest; 9D"

// foreign is a round with one jack of clubs more than six packs have.
const foreign = "open; stake 1 anna 20; stake 2 ben 20; stake 3 chiara 20; stake 4 dario 20; stake 5 elif 20; stake " +
	"6 franz 20; stake 7 greta 20; close; JC JC JC JC JC JC JC"

// exhausted is a round at one pack, of which all cards but three were burnt before.
var exhausted = func() string {
	var b strings.Builder
	for c := range card.All {
		if name := c.String(); !strings.Contains("TS 9D 9H", name) {
			b.WriteString(name + "; resolve burn; ")
		}
	}
	return b.String() + "open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H"
}()

// Holds returns a sample for each irregularity that holds a round, at a table that asks
// for a supervisor's PIN. Their names begin with hold-.
func Holds() []Sample {
	var all []Sample
	for _, h := range slices.Concat(holds, ofRecord()) {
		s := rules.Setup{House: h.house}
		if h.line == exhausted {
			s.Decks = 1
		}
		v := heldBy(s, h.line)
		v.Supervisor = &authority.Status{Proof: authority.PIN, Needs: authority.PIN, Names: []string{"anna", "bruno"}}
		if h.name == "long" {
			v.Supervisor.Names = []string{
				"Maximiliane Hohenberg-Unterwalden", "<b>bruno</b>", "王小明", "dora", "elif",
				"franz", "greta",
			}
		}
		all = append(all, Sample{Name: "hold-" + h.name, View: v})
	}
	return all
}

// heldBy is what a table shows once the lines are played and the round is held.
func heldBy(s rules.Setup, line string) display.View {
	var t table.Table
	t.Step(tabletest.SetUp(s))
	said, err := tabletest.Play(&t, line)
	if err != nil {
		panic("displaytest: " + err.Error())
	}
	v := display.From(&t, "BJ 4", 1)
	if v.Held == nil {
		panic(fmt.Sprintf("displaytest: nothing holds in\n%s", said))
	}
	return v
}
