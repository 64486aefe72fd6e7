package host_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// holeTable is a running table with a hole card, of which all is kept that leaves it.
type holeTable struct {
	t      *testing.T
	d      *host.Daemon
	shoe   *shoesim.Shoe
	path   string
	log    system.Text
	began  int    // so much of the log is of before the round
	house  string // at the next start, "" for the one with a hole card
	page   *bubble.Listener
	broker *recording
	stop   func()
}

func newHoleTable(t *testing.T, kind shoesim.Kind) *holeTable {
	t.Helper()
	shoe, err := shoesim.New(shoesim.Options{Kind: kind, Decks: 6, Seed: 1, Memory: true, Boot: 7})
	if err != nil {
		t.Fatal(err)
	}
	h := &holeTable{t: t, shoe: shoe, path: filepath.Join(processes.FastDir(t), "journal")}
	h.broker = &recording{takingAll: takingAll{listener: bubble.Listen()}}
	h.broker.kept = h.broker.keep
	go h.broker.serve()
	h.start(kind)
	return h
}

func (h *holeTable) start(kind shoesim.Kind) {
	h.t.Helper()
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", cmp.Or(h.house, "hole")
	c.Shoe.Driver, c.Shoe.Port, c.Journal.Path = string(kind), "/dev/simulated", h.path
	c.Web.Listen, c.MQTT.Broker = "127.0.0.1:0", "tcp://simulated"
	c.Supervisors.Proof = authority.None
	h.page = bubble.Listen()
	logs := slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	d, err := host.Open(c, tabletest.Book(), "test", logs, host.WithNewJournal(), host.WithOutside(host.Outside{
		Shoe: h.shoe.Open, Page: h.page, Broker: func(ctx context.Context, _ string) (net.Conn, error) {
			return h.broker.listener.Dial(ctx, "", "")
		},
		Computer: func(c *health.Computer) { *c = health.Computer{} },
	}))
	if err != nil {
		h.t.Fatal(err)
	}
	h.d = d
	ctx, cancel := context.WithCancel(context.WithoutCancel(h.t.Context()))
	var parts errgroup.Group
	parts.Go(func() error { return d.Run(ctx) })
	h.stop = func() {
		cancel()
		if err := parts.Wait(); err != nil {
			h.t.Error(err)
		}
		if err := d.Close(); err != nil {
			h.t.Error(err)
		}
		bubble.Settle(time.Minute)
	}
	bubble.Settle(10 * time.Second)
}

// end ends everything.
func (h *holeTable) end() {
	h.stop()
	_ = h.shoe.Close()
	h.broker.close(h.t)
	bubble.Settle(time.Minute)
}

// puts puts an input in as a screen does.
func (h *holeTable) puts(in vocab.Input) {
	h.t.Helper()
	answer, err := h.d.Submit(h.t.Context(), in)
	if err != nil || answer.Rejected != 0 {
		h.t.Fatalf("%s %s: %s, %v", in.Kind, in.Call, answer.Rejected, err)
	}
	bubble.Settle(time.Second)
}

func (h *holeTable) draws(cards ...card.Card) {
	h.t.Helper()
	for _, c := range cards {
		if err := h.shoe.DrawCard(c); err != nil {
			h.t.Fatal(err)
		}
		bubble.Settle(2 * time.Second)
	}
}

func (h *holeTable) view() display.View {
	v, _ := h.d.Board.Look()
	return v
}

// left is all that has left the table so far, by name, without what no two tables have alike.
func (h *holeTable) left() map[string]string {
	h.t.Helper()
	all := map[string]string{"log": h.log.String()[h.began:], "broker": h.broker.String()}
	if all["broker"] == "" {
		h.t.Fatal("the broker was told nothing: what leaves for it is not looked at")
	}
	v := h.view()
	text, err := json.Marshal(v)
	if err != nil {
		h.t.Fatal(err)
	}
	all["view"], all["prompt"] = string(text), fmt.Sprint(display.Prompt(v))
	all["characters"] = fmt.Sprint(lcd.Screen{}.Lines(v))
	client := http.Client{Transport: &http.Transport{DialContext: h.page.Dial, DisableKeepAlives: true}}
	for _, path := range []string{
		"/", "/guest", "/view.json", "/state", "/metrics", "/health", "/recall", "/recall/1", "/help",
	} {
		r, err := client.Get("http://127.0.0.1" + path)
		if err != nil {
			h.t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			h.t.Fatal(err)
		}
		_ = r.Body.Close()
		all[path] = r.Status + "\n" + string(body)
	}
	err = filepath.WalkDir(filepath.Dir(h.path), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, config.FacesEnd) {
			return err
		}
		text, err := os.ReadFile(path)
		all["file "+strings.TrimPrefix(path, filepath.Dir(h.path))] = string(text)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.exports(all)
	for name, text := range all {
		all[name] = masked(text, h.path)
	}
	return all
}

// exports adds what sabot export makes of the journal while the card lies there.
func (h *holeTable) exports(all map[string]string) {
	h.t.Helper()
	j, err := journal.OpenReadOnly(h.path)
	if err != nil {
		h.t.Fatal(err)
	}
	defer j.Close()
	folder := filepath.Join(processes.FastDir(h.t), "export")
	counts, err := export.Write(h.t.Context(), j, folder, export.Options{Format: "csv"})
	if err != nil || counts.Records == 0 {
		h.t.Fatalf("%+v, %v", counts, err)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			h.t.Fatal(err)
		}
		all["export "+file.Name()] = strings.ReplaceAll(string(text), `""`, `"`) // a seal is found by them
	}
}

// random is what no two tables have alike: hashes, which follow from the seals, keys, names of sessions.
var random = regexp.MustCompile(
	`[0-9a-f]{12,}|[A-Za-z0-9+/_-]{20,}=*|[0-9]+(\.[0-9]+)?(e[-+][0-9]+)? *$|[0-9.]+[mµn]?s`)

// timed is what tells how long something took, or of the process itself, and how many signs of life a shoe has sent.
var timed = regexp.MustCompile(
	`(?m)^(go_|process_|sabot_.*(seconds|bytes|frames)|promhttp_).*$|"(memory_bytes|goroutines|frames)":[0-9]+`)

// together is that a record was written with the next one, as what waits at the same time is. Whether the second of
// two inputs of one moment waits by then is the processor's matter, and their records are compared all the same.
const together = `,"more":1,"hash":`

func masked(text, path string) string {
	text = strings.ReplaceAll(text, filepath.Dir(path), "FOLDER")
	text = strings.ReplaceAll(text, together, `,"hash":`)
	text = seals.ReplaceAllStringFunc(text, lengthOf)
	return random.ReplaceAllString(timed.ReplaceAllString(text, ""), "~")
}

func lengthOf(seal string) string { return fmt.Sprintf("a seal of %d", len(seal)) }

// seals differ, and have one length.
var seals = regexp.MustCompile(`"(seal|opens)":"[^"]*"`)

// recording is a broker that keeps what it is told.
type recording struct {
	takingAll
	said []string
}

// forget forgets what came of the start, which has no order.
func (b *recording) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = nil
}

func (b *recording) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	said := slices.Clone(b.said)
	slices.Sort(said) // topics have no order among each other
	return strings.Join(said, "\n")
}

// keep keeps what is published.
func (b *recording) keep(p *packets.PublishPacket) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, p.TopicName+" "+string(p.Payload))
}

// holeRound is a round up to the turn of the hole card: its cards as they are dealt, the hole card among them as None.
type holeRound struct {
	name  string
	cards []card.Card
	// holes are two that nobody can tell from each other by what is seen of them.
	holes [2]card.Card
	after func(h *holeTable)
}

func of(r card.Rank, s card.Suit) card.Card { return card.Of(r, s) }

var holeRounds = []holeRound{
	{
		"under a seven",
		[]card.Card{of(10, card.Spades), of(7, card.Clubs), of(9, card.Hearts), card.None},
		[2]card.Card{of(card.Ace, card.Spades), of(5, card.Diamonds)},
		func(h *holeTable) { h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}) },
	},
	{
		"under a ten, looked at",
		[]card.Card{of(10, card.Spades), of(card.King, card.Clubs), of(6, card.Hearts), card.None},
		[2]card.Card{of(2, card.Spades), of(card.Queen, card.Diamonds)},
		func(h *holeTable) {
			h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook})
			h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallCard})
			h.draws(of(3, card.Clubs))
			h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest})
		},
	},
	{
		"under an ace, a Black Jack",
		[]card.Card{of(10, card.Spades), of(card.Ace, card.Clubs), of(6, card.Hearts), card.None},
		[2]card.Card{of(10, card.Hearts), of(card.King, card.Diamonds)},
		func(h *holeTable) {
			h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
			h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook})
		},
	},
	{
		"while the deal is held",
		[]card.Card{of(10, card.Spades), card.Unread, of(6, card.Hearts), card.None},
		[2]card.Card{of(9, card.Hearts), of(4, card.Diamonds)},
		func(h *holeTable) {
			h.puts(vocab.Input{
				Kind: vocab.InResolve, With: irregularity.Identify, Card: of(8, card.Clubs), Role: vocab.Supervisor,
				By: "s1",
			})
			h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest})
		},
	},
}

// TestHoleCardIsHidden: two tables whose shoes differ in the hole card alone say the same before it is turned: on the
// page, on the guests' display, to the broker, in the log, in the metrics, and in the files beside the key.
func TestHoleCardIsHidden(t *testing.T) {
	for _, kind := range []shoesim.Kind{shoesim.Sabot, shoesim.BeeTek, shoesim.AngelEye} {
		for _, round := range holeRounds {
			if kind != shoesim.Sabot && !tier.InSoak() && round.name != holeRounds[1].name {
				continue
			}
			t.Run(string(kind)+" "+round.name, func(t *testing.T) {
				var left [2]map[string]string
				for nth, hole := range round.holes { // each in a bubble of its own, so that it has the same time
					synctest.Test(t, func(t *testing.T) { left[nth] = leftBefore(t, kind, round, hole) })
				}
				alike(t, left[0], left[1])
			})
		}
	}
}

// leftBefore is what has left a table before its hole card is turned; then it is turned, and must be what was dealt.
func leftBefore(t *testing.T, kind shoesim.Kind, round holeRound, hole card.Card) map[string]string {
	t.Helper()
	h := newHoleTable(t, kind)
	defer h.end()
	h.bets()
	for _, c := range round.cards {
		switch c {
		case card.None:
			h.draws(hole)
		case card.Unread:
			if _, err := h.shoe.DrawUnread(); err != nil {
				t.Fatal(err)
			}
			bubble.Settle(2 * time.Second)
		default:
			h.draws(c)
		}
	}
	round.after(h)
	if due := h.view().Due.To; due != vocab.ToTurn {
		t.Fatalf("due is %s, not the turn\n%s", due, h.log.String())
	}
	left := h.left()
	h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
	if bank := h.view().Bank.Cards; len(bank) < 2 || bank[1] != hole {
		t.Errorf("the bank has %v, and %s was dealt", bank, hole)
	}
	return left
}

// bets opens a round with a stake on one box.
func (h *holeTable) bets() {
	h.t.Helper()
	h.began = len(h.log.String())
	h.broker.forget()
	h.puts(vocab.Input{Kind: vocab.InOpen})
	h.puts(vocab.Input{
		Kind: vocab.InStake, Box: 1, Bettor: "a", Wager: vocab.WagerMain, Amount: h.view().Min, Stated: true,
	})
	h.puts(vocab.Input{Kind: vocab.InClose})
}

// alike compares what has left two tables.
func alike(t *testing.T, one, other map[string]string) {
	t.Helper()
	for name, text := range one {
		a, b := strings.Split(text, "\n"), strings.Split(other[name], "\n")
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				one, other := at(a, i), at(b, i)
				from := 0
				for from < min(len(one), len(other)) && one[from] == other[from] {
					from++
				}
				from = max(0, from-80)
				t.Errorf("%s tells the one table from the other in line %d:\n…%.300s\n…%.300s", name, i+1, one[from:],
					other[from:])
				break
			}
		}
	}
	if len(one) != len(other) {
		t.Errorf("%d things have left the one table, and %d the other", len(one), len(other))
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// TestHoleCardSurvivesAPowerCut: between the deal and the turn the table ends, and the next start turns the card that
// was dealt; with another key it cannot, says so, and the round can be voided.
func TestHoleCardSurvivesAPowerCut(t *testing.T) {
	for _, lost := range []bool{false, true} {
		name := "the key is there"
		if lost {
			name = "the key is lost"
		}
		inBubble(t, name, func(t *testing.T) {
			h := newHoleTable(t, shoesim.Sabot)
			defer func() { h.end() }()
			h.bets()
			h.draws(of(10, card.Spades), of(card.King, card.Clubs), of(6, card.Hearts), of(7, card.Diamonds))
			h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook})
			h.stop()
			if lost {
				if err := os.Remove(h.path + config.FacesEnd); err != nil {
					t.Fatal(err)
				}
			}
			h.start(shoesim.Sabot)
			h.accepts(lost)
			h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest})
			_, err := h.d.Submit(t.Context(), vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
			bubble.Settle(time.Second)
			if !lost {
				if bank := h.view().Bank.Cards; err != nil || bank[1] != of(7, card.Diamonds) {
					t.Errorf("the bank has %v, %v", bank, err)
				}
				audited(t, h.path)
				return
			}
			if !errors.Is(err, runner.ErrSealed) {
				t.Fatalf("without its key the card is turned: %v", err)
			}
			h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
			h.puts(vocab.Input{
				Kind: vocab.InResolve, With: irregularity.VoidRound, Role: vocab.Supervisor, By: "s1",
			})
			h.puts(vocab.Input{Kind: vocab.InPaid})
			if v := h.view(); v.Phase != vocab.Idle {
				t.Errorf("the round goes on in phase %s", v.Phase)
			}
			audited(t, h.path, audit.Accepted) // by the supervisor who was told at the start
		})
	}
}

// TestHoleCardOutlivesItsHouse: while the card lies there the table ends, and starts again with a house that has none.
// The round is played to its end by the rules by which it was dealt, and the next one by the new ones.
func TestHoleCardOutlivesItsHouse(t *testing.T) {
	inBubble(t, "another house in mid-round", func(t *testing.T) {
		h := newHoleTable(t, shoesim.Sabot)
		defer func() { h.end() }()
		h.bets()
		h.dealt()
		h.stop()
		h.house = "schaffhausen"
		h.start(shoesim.Sabot)
		h.accepts(false)
		if v := h.view(); v.House == "schaffhausen" || v.Due.To != vocab.ToCall {
			t.Fatalf("%s is played, and %s is due", v.House, v.Due.To)
		}
		h.rests()
		h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
		if bank := h.view().Bank.Cards; len(bank) < 2 || bank[1] != of(card.Queen, card.Diamonds) {
			t.Errorf("the bank has %v", bank)
		}
		h.puts(vocab.Input{Kind: vocab.InPaid})
		if v := h.view(); v.House != "schaffhausen" {
			t.Errorf("after the round %s is played", v.House)
		}
		h.bets()
		h.draws(of(10, card.Spades), of(7, card.Clubs), of(6, card.Hearts))
		if v := h.view(); v.Due.To != vocab.ToCall || slices.Contains(v.Bank.Cards, card.Down) {
			t.Errorf("without a hole card %s is due, and the bank has %v", v.Due.To, v.Bank.Cards)
		}
		audited(t, h.path)
	})
}

// accepts has a supervisor take note of a start at which the hole card's key is lost, which holds the table.
func (h *holeTable) accepts(lost bool) {
	h.t.Helper()
	held := h.view().Held
	if (held != nil) != lost {
		h.t.Fatalf("after the start the table is held by %+v", held)
	}
	if !lost {
		return
	}
	if held.Code != irregularity.JournalTouched || !strings.Contains(held.Found, "void it") {
		h.t.Errorf("nobody is told what to do: %+v", held)
	}
	h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept})
}

// audited has a journal audited, without any key: the card that was turned is the one that was sealed.
func audited(t *testing.T, path string, but ...audit.Kind) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	report, err := audit.Run(t.Context(), j, audit.Options{Book: tabletest.Book()})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range report.Faults {
		if !slices.Contains(but, fault.Kind) {
			t.Errorf("the audit finds %+v", *fault)
		}
	}
}

// TestShoeTellsNoHoleCard: what a shoe says of the hole card beside its report is not in the log and not on record: the
// report that it sends once more, one that nobody understands, its own words.
func TestShoeTellsNoHoleCard(t *testing.T) {
	for name, says := range tellingShoes {
		t.Run(name, func(t *testing.T) {
			var left [2]map[string]string
			for nth, hole := range [...]card.Card{of(9, card.Hearts), of(4, card.Hearts)} {
				synctest.Test(t, func(t *testing.T) {
					h := newHoleTable(t, says.kind)
					defer h.end()
					h.bets()
					h.draws(of(10, card.Spades), of(7, card.Clubs), of(6, card.Hearts), hole)
					says.says(h, hole)
					bubble.Settle(time.Minute) // the shoe's remarks are summed up
					left[nth] = h.left()
					if !strings.Contains(fmt.Sprint(left[nth]), says.told) {
						t.Errorf("the shoe has said nothing:\n%s", left[nth]["log"])
					}
				})
			}
			alike(t, left[0], left[1])
		})
	}
}

// tellingShoes say more of the hole card than that it was dealt.
var tellingShoes = map[string]struct {
	kind shoesim.Kind
	says func(h *holeTable, hole card.Card)
	told string // what is told of it all the same
}{
	"its own words": {shoesim.Sabot, func(h *holeTable, hole card.Card) {
		if err := h.shoe.Log(wire.LevelInfo, "read "+hole.String()); err != nil {
			h.t.Error(err)
		}
	}, "shoe says"},
	"sent again": {shoesim.AngelEye, func(h *holeTable, hole card.Card) {
		h.reports('R', '4', faceOf(hole))
	}, "sent-again"},
	"another kind of report": {shoesim.AngelEye, func(h *holeTable, hole card.Card) {
		h.reports('Z', 'B', '4', faceOf(hole))
	}, "not-understood"},
}

// faceOf is a heart as an angel-eye shoe writes it.
func faceOf(c card.Card) byte { return 0x40 | byte(c.Rank()) }

func (h *holeTable) reports(data ...byte) {
	h.t.Helper()
	if err := h.shoe.Report(data...); err != nil {
		h.t.Fatal(err)
	}
}

// TestHoleCardIsAudited: whatever befalls a hole card, the record shows afterwards that it is the one that was dealt.
func TestHoleCardIsAudited(t *testing.T) {
	for name, befalls := range fates {
		inBubble(t, name, func(t *testing.T) {
			h := newHoleTable(t, shoesim.Sabot)
			defer func() { h.end() }()
			h.bets()
			befalls(h)
			if held := h.view().Held; held != nil {
				t.Fatalf("%s holds the round", held.Code)
			}
			if h.view().Due.To == vocab.ToTurn {
				h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
			}
			if bank := h.view().Bank.Cards; slices.Contains(bank, card.Down) {
				t.Errorf("the bank has %v", bank)
			}
			if h.view().Due.To == vocab.ToBank {
				h.draws(of(5, card.Hearts))
			}
			h.puts(vocab.Input{Kind: vocab.InPaid})
			if v := h.view(); v.Phase != vocab.Idle {
				t.Fatalf("the round goes on in phase %s: %s\n%s", v.Phase, v.Due.To, h.log.String())
			}
			audited(t, h.path)
		})
	}
}

var fates = map[string]func(h *holeTable){
	"exposed, and the table ends": func(h *holeTable) {
		h.dealt()
		h.supervises(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleExposed})
		h.stop()
		h.start(shoesim.Sabot)
		h.rests()
	},
	"exposed while the round is stopped": func(h *holeTable) {
		h.dealt()
		h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
		h.supervises(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleExposed})
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue})
		h.rests()
	},
	"pressed while the round is stopped": func(h *holeTable) {
		h.draws(of(10, card.Spades), of(card.King, card.Clubs), of(6, card.Hearts), of(7, card.Diamonds))
		h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
		for _, press := range []vocab.HoleEvent{vocab.HoleLook, vocab.HoleTurned} {
			answer, err := h.d.Submit(h.t.Context(), vocab.Input{Kind: vocab.InHole, Hole: press})
			if bubble.Settle(time.Second); err != nil || answer.Rejected != vocab.RoundHeld {
				h.t.Errorf("%s is answered with %s, %v", press, answer.Rejected, err)
			}
		}
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue})
		h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook})
		h.rests()
	},
	"a void round": func(h *holeTable) {
		h.dealt()
		h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound})
	},
	"it comes unread": func(h *holeTable) {
		h.draws(of(10, card.Spades), of(7, card.Clubs), of(6, card.Hearts))
		if _, err := h.shoe.DrawUnread(); err != nil {
			h.t.Fatal(err)
		}
		bubble.Settle(2 * time.Second)
		h.supervises(vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Identify, Card: of(card.Queen, card.Diamonds),
		})
		h.rests()
	},
	"all cards come while the deal is held": func(h *holeTable) {
		if _, err := h.shoe.DrawUnread(); err != nil {
			h.t.Fatal(err)
		}
		h.draws(of(7, card.Clubs), of(6, card.Hearts), of(10, card.Diamonds))
		h.supervises(vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Identify, Card: of(9, card.Diamonds),
		})
		h.rests()
	},
	"held at the deal, and the table ends": func(h *holeTable) {
		if _, err := h.shoe.DrawUnread(); err != nil {
			h.t.Fatal(err)
		}
		h.draws(of(7, card.Clubs), of(6, card.Hearts), of(10, card.Diamonds))
		h.stop()
		h.start(shoesim.Sabot)
		h.supervises(vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Identify, Card: of(9, card.Diamonds),
		})
		h.rests()
	},
	"held at the deal, and void": func(h *holeTable) {
		if _, err := h.shoe.DrawUnread(); err != nil {
			h.t.Fatal(err)
		}
		h.draws(of(7, card.Clubs), of(6, card.Hearts), of(10, card.Diamonds))
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound})
		for h.view().Held != nil { // the cards behind it are nobody's, and known now
			h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Burn})
		}
	},
	"a call is taken back": func(h *holeTable) {
		h.dealt()
		h.rests()
		h.puts(vocab.Input{Kind: vocab.InUndo})
		h.rests()
	},
	"a box's card is corrected before": func(h *holeTable) {
		h.dealt()
		h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
		h.supervises(vocab.Input{
			Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Rename, Nth: 1}, Card: of(9, card.Spades),
		})
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue})
		h.rests()
	},
	"it goes to a box, by a correction": func(h *holeTable) {
		h.draws(of(10, card.Spades), of(7, card.Clubs), of(6, card.Hearts), of(5, card.Diamonds))
		h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
		h.supervises(vocab.Input{
			Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Came, Nth: 3}, Card: of(2, card.Clubs),
		})
		for h.view().Held != nil {
			if h.view().Held.Code == irregularity.HeldByHand {
				h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue})
				continue
			}
			h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept})
		}
		if hands := h.view().Boxes[0].Hands[0].Cards; len(hands) != 3 || hands[2] != of(5, card.Diamonds) {
			h.t.Errorf("the box has %v", hands)
		}
		h.rests()
	},
	"it is corrected after the turn": func(h *holeTable) {
		h.dealt()
		h.rests()
		h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
		h.puts(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer})
		h.supervises(vocab.Input{
			Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Rename, Nth: 4}, Card: of(card.King, card.Spades),
		})
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue})
	},
}

// TestNobodySealsACard: a supervisor who names the hole card names a card. A seal of somebody else's is none, and would
// be a card that nobody can turn.
func TestNobodySealsACard(t *testing.T) {
	inBubble(t, "identified as a sealed card", func(t *testing.T) {
		h := newHoleTable(t, shoesim.Sabot)
		defer h.end()
		h.bets()
		h.draws(of(10, card.Spades), of(7, card.Clubs), of(6, card.Hearts))
		if _, err := h.shoe.DrawUnread(); err != nil {
			t.Fatal(err)
		}
		bubble.Settle(2 * time.Second)
		answer, err := h.d.Submit(t.Context(), vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Identify, Card: card.Down, Code: "1",
			Role: vocab.Supervisor, By: "s1",
		})
		if bubble.Settle(time.Second); err != nil || answer.Rejected == 0 {
			t.Errorf("it is taken: %+v, %v", answer, err)
		}
		h.supervises(vocab.Input{Kind: vocab.InResolve, With: irregularity.Identify, Card: of(4, card.Clubs)})
		h.rests()
		h.puts(vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
	})
}

// dealt deals a round in which nobody looks at the hole card, a queen.
func (h *holeTable) dealt() {
	h.draws(of(10, card.Spades), of(7, card.Clubs), of(6, card.Hearts), of(card.Queen, card.Diamonds))
}

func (h *holeTable) rests() { h.puts(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}) }

func (h *holeTable) supervises(in vocab.Input) {
	in.Role, in.By = vocab.Supervisor, "s1"
	h.puts(in)
}
