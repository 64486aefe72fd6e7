package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
)

// behind is what the pages show.
type behind struct {
	floor    *pittest.Floor
	past     *pittest.Past
	rooms    *pittest.Rooms
	orders   *pittest.Commands
	trays    *pittest.Trays
	jackpots *pittest.Jackpots
}

// sampleFloor is the pit's page. It takes lines and answers each with "done" or with what is wrong: the name of a
// sample (calm, bad, sixty, offline, broker, store, empty), "alarm 3" and "right 3" for a table, "deal 3 payment",
// "store away" and "store back", "rooms fail", and what tables answer to commands: "answer done", "answer silent",
// "answer away", "answer round-running". A silent one is waited for until "give up".
//
// With -group it is the hub of a group. With -people there are roles: the cookie "who" has a name and a role, such as
// anna:supervisor.
func sampleFloor(set *flag.FlagSet) func(string) (Sample, error) {
	language := set.String("language", "en", "what the pit speaks")
	first := set.String("sample", "calm", "the floor that is shown first")
	enter := set.Bool("people", false, "whether people enter")
	hub := set.Bool("group", false, "whether it is the hub of a group")
	return func(string) (Sample, error) { return floorOf(*language, *first, *enter, *hub) }
}

func floorOf(language, first string, enter, hub bool) (Sample, error) {
	spoken, ok := display.BuiltIn().With(profile.Built().Words(), profile.Built().Shufflers()...).Speak(language)
	if !ok {
		return Sample{}, fmt.Errorf("-language %s is not known", language)
	}
	floor, err := pittest.NewFloor(first)
	if err != nil {
		return Sample{}, err
	}
	trays := &pittest.Trays{From: time.Now().Add(-14 * time.Hour), Table: pittest.Table}
	b := behind{
		floor: floor, past: &pittest.Past{}, rooms: &pittest.Rooms{}, trays: trays,
		orders: &pittest.Commands{Floor: floor, Trays: trays}, jackpots: &pittest.Jackpots{},
	}
	o := dashboard.Options{
		Floor: b.floor, Past: b.past, Rooms: b.rooms, Ended: b.past, Trays: b.trays, Jackpots: b.jackpots,
		Close:    "/figures/close",
		Commands: b.orders, Answer: time.Hour, // which nobody waits for: see give up
		Name: "Kursaal", Language: spoken,
	}
	if hub {
		o.Group = pittest.Group{}
	}
	if enter {
		o.People = cookies{}
	}
	pit, err := dashboard.New(o)
	if err != nil {
		return Sample{}, err
	}
	site := http.NewServeMux()
	site.Handle("/", pit.Handler())
	site.HandleFunc("GET "+dashboard.EnterPath, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "Who are you?")
	})
	return Sample{Handler: site, Obey: b.answer, End: b.orders.GiveUp}, nil
}

// answer does what a line says, and answers it.
func (b *behind) answer(line string, out io.Writer) {
	if err := b.obey(strings.Fields(line)); err != nil {
		fmt.Fprintln(out, err)
		return
	}
	fmt.Fprintln(out, "done")
}

// obey does what a line says.
func (b *behind) obey(words []string) error {
	if len(words) == 1 {
		return b.floor.Show(words[0])
	}
	if len(words) < 2 {
		return fmt.Errorf("nothing is said")
	}
	switch strings.Join(words, " ") {
	case "rooms fail":
		b.rooms.Fails = true
		return nil
	case "give up":
		b.orders.GiveUp()
		return nil
	}
	if words[0] == "store" {
		b.past.Away(words[1] == "away")
		b.trays.Away(nil)
		b.jackpots.Away(words[1] == "away")
		if words[1] == "away" {
			b.trays.Away(errors.New("the database is away"))
		}
		return nil
	}
	if words[0] == "answer" {
		b.orders.Answer(words[1])
		return nil
	}
	n, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	switch words[0] {
	case "alarm":
		b.floor.Alarm(n, irregularity.UnreadCard)
	case "right":
		b.floor.Right(n, "Herr Keller")
	case "deal":
		b.floor.Deal(n, words[2])
	default:
		return fmt.Errorf("what is %s?", words[0])
	}
	return nil
}

// cookies believe a browser who asks.
type cookies struct{}

func (cookies) Who(r *http.Request, _ bool) (people.Person, context.Context, func(), bool) {
	cookie, err := r.Cookie("who")
	if err != nil {
		return people.Person{}, nil, nil, false
	}
	name, role, _ := strings.Cut(cookie.Value, ":")
	is, err := people.ParseRole(role)
	if err != nil {
		return people.Person{}, nil, nil, false
	}
	return people.Person{Name: name, Role: is}, r.Context(), func() {}, true
}
