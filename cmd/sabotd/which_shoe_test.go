package main

import (
	"encoding/json"
	"html"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestWhichShoe: the journal, the page and the pit's health say which shoe dealt. A swap and
// new firmware are told once each, a restart of the table or of the shoe is not.
func TestWhichShoe(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	w := newWorldOn(t, filepath.Join(t.TempDir(), "shoe"))
	health := brokertest.Subscribe(t, w.broker.Addr(), "sabot/v1/test/bj-1/health")
	w.plug(shoesim.Options{Serial: "SB-1", Boot: 1 << 20})
	process := w.start()
	w.shown("SB-1", "1.0.0")
	w.deal(1).finish()

	// A restart of the table, between two rounds and in a round.
	process.Stop()
	process = w.start()
	w.shown("SB-1", "1.0.0")
	d := w.deal(1)
	d.stop(3)
	process.Stop()
	process = w.start()
	w.look().await("the shoe", func(v display.View) bool { return v.Shoe.Online })
	d.goOn(nil)
	d.finish()

	// The shoe's cable.
	if err := w.shoe.Unplug(); err != nil {
		t.Fatal(err)
	}
	w.look().await("no shoe", func(v display.View) bool { return !v.Shoe.Online })
	if err := w.shoe.Replug(); err != nil {
		t.Fatal(err)
	}
	w.shown("SB-1", "1.0.0")

	// Another shoe while the table runs, and its new firmware while the table is off.
	w.plug(shoesim.Options{Serial: "SB-2", Boot: 2 << 20})
	w.shown("SB-2", "1.0.0")
	w.noneDrawn()
	w.deal(1).finish()
	process.Stop()
	w.plug(shoesim.Options{Serial: "SB-2", Firmware: [3]uint8{1, 0, 1}, Boot: 3 << 20})
	process = w.start()
	w.shown("SB-2", "1.0.1")
	w.noneDrawn()
	w.deal(1).finish()

	// The health is sent with each new connection.
	w.gate.Shut()
	w.gate.Open()
	var shoe topic.Shoe
	brokertest.Until(t, "the pit's health says which shoe it is", func() bool {
		shoe = healthOfShoe(t, health)
		return shoe.Firmware == "1.0.1" && shoe.Queued != nil && *shoe.Queued == 0 && shoe.Confidence != nil
	})
	if shoe.Maker != "sabot" || shoe.Serial != "SB-2" || shoe.Port != w.port || shoe.Confidence.Min != 99 ||
		shoe.Confidence.Mean != 99 || shoe.Confidence.Low != 0 {
		t.Errorf("the pit's health says %+v of the shoe, its confidence %+v", shoe, shoe.Confidence)
	}
	process.Stop()
	w.told("SB-1 1.0.0", "SB-2 1.0.0", "SB-2 1.0.1")
}

// TestLastReasonOfADeadLink: the pit's health knows why the link was lost, also when it is
// back.
func TestLastReasonOfADeadLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	health := brokertest.Subscribe(t, w.broker.Addr(), "sabot/v1/test/bj-1/health")
	process := w.start()
	w.shown("SIM-1", "1.0.0")
	if err := w.shoe.Unplug(); err != nil {
		t.Fatal(err)
	}
	w.look().await("no shoe", func(v display.View) bool { return !v.Shoe.Online })
	if err := w.shoe.Replug(); err != nil {
		t.Fatal(err)
	}
	w.shown("SIM-1", "1.0.0")
	w.gate.Shut()
	w.gate.Open()
	brokertest.Until(t, "the pit's health has the last reason", func() bool {
		shoe := healthOfShoe(t, health)
		return shoe.Up && shoe.LastDown != nil && shoe.LastDown.Text != "" && !shoe.LastDown.Time.IsZero()
	})
	process.Stop()
}

// healthOfShoe is what the newest health says of the shoe, nothing before the first.
func healthOfShoe(t *testing.T, health *brokertest.Subscriber) topic.Shoe {
	t.Helper()
	messages := health.Messages()
	if len(messages) == 0 {
		return topic.Shoe{}
	}
	var h topic.Health
	if err := json.Unmarshal(messages[len(messages)-1].Payload, &h); err != nil {
		t.Fatal(err)
	}
	return h.Shoe
}

// TestMakersThatTellNothing: of these makes the record has the maker alone.
func TestMakersThatTellNothing(t *testing.T) {
	for _, kind := range []string{"bee-tek", "angel-eye"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorldWith(t, shoesim.Options{Kind: shoesim.Kind(kind)})
			process := w.start()
			v := w.shown("", "")
			if v.Shoe.Maker != kind {
				t.Errorf("the page says %+v", v.Shoe)
			}
			process.Stop()
			process = w.start()
			w.shown("", "")
			process.Stop()
			if _, outputs := w.records(); strings.Count(outputs, `{"out":"shoe","maker":"`+kind+`"}`) != 1 {
				t.Errorf("the maker is not told once:\n%s", outputs)
			}
		})
	}
}

// plug connects a new shoe in the place of the last one, if there is any.
func (w *world) plug(o shoesim.Options) {
	w.t.Helper()
	if w.shoe != nil {
		if err := w.shoe.Close(); err != nil {
			w.t.Fatal(err)
		}
	}
	o.Kind, o.Decks, o.Seed, o.Continuous, o.Jokers, o.Link = shoesim.Sabot, 6, 3, true, 1, w.port
	shoe, err := shoesim.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { shoe.Close() })
	w.shoe = shoe
}

// shown waits until the page shows that this shoe is there.
func (w *world) shown(serial, firmware string) display.View {
	w.t.Helper()
	return w.look().await("shoe "+serial, func(v display.View) bool {
		return v.Shoe.Online && v.Shoe.Maker != "" && v.Shoe.Serial == serial && v.Shoe.Firmware == firmware
	})
}

// noneDrawn says that no card left the other shoe before it was heard.
func (w *world) noneDrawn() {
	w.t.Helper()
	v := w.look()
	v.awaitHeld(irregularity.LostCards, irregularity.Identify, irregularity.NoneDrawn)
	v.resolve(irregularity.NoneDrawn, card.None)
}

// told checks which shoes the journal tells of: serial number and firmware, in order.
func (w *world) told(want ...string) {
	w.t.Helper()
	_, outputs := w.records()
	var got []string
	for line := range strings.Lines(outputs) {
		var out struct{ Out, Maker, Serial, Firmware string }
		if err := json.Unmarshal([]byte(line), &out); err != nil {
			w.t.Fatal(err)
		}
		if out.Out == "shoe" && out.Maker == "sabot" {
			got = append(got, out.Serial+" "+out.Firmware)
		}
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("the journal tells of the shoes %q, not %q", got, want)
	}
}

// TestPacks: a touch says which packs were put in, and the table knows whose it was. The
// same packs again need no word, and nobody can say it in another's name.
func TestPacks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.packs = "red 1-6, blue 7-12"
	process := w.start()
	w.shown("SIM-1", "1.0.0")
	if page := w.get("/", http.StatusOK); !strings.Contains(page,
		html.EscapeString(`"event":"loaded","packs":"blue 7-12"`)) {
		t.Errorf("the page does not offer the packs:\n%s", page)
	}
	var shift authority.Shift
	if status := w.post("/dealer", `{"name":"d7"}`, &shift); status != http.StatusOK {
		t.Fatalf("signing in was answered %d", status)
	}
	for _, line := range []string{
		`{"in":"shoe","event":"loaded","by":"mallory"}`,
		`{"in":"shoe","event":"loaded","packs":"blue 7-12","by":"mallory"}`,
		`{"in":"shoe","event":"loaded"}`, `{"in":"shoe","event":"loaded","packs":"blue 7-12"}`,
	} {
		var answer web.Answer
		if status := w.post("/input", line, &answer); status != http.StatusOK {
			t.Fatalf("%s was answered %d %+v", line, status, answer)
		}
	}
	v := w.look().await("the packs", func(v display.View) bool { return v.Shoe.Packs != "" })
	if v.Shoe.Packs != "blue 7-12" || v.Shoe.LoadedBy != "d7" {
		t.Errorf("the page says %+v", v.Shoe)
	}
	w.deal(1).finish()
	process.Stop()
	inputs, outputs := w.records()
	const told = `{"out":"shoe","maker":"sabot","serial":"SIM-1","firmware":"1.0.0","packs":"blue 7-12","by":"d7"}`
	if strings.Count(outputs, told) != 1 || strings.Count(outputs, `{"out":"shoe"`) != 2 ||
		strings.Contains(inputs, "mallory") {
		t.Errorf("the journal has\n%s\n%s", inputs, outputs)
	}
}
