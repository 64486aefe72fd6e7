package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// Commands sends commands to tables.
type Commands interface {
	// Takes says whether a table takes commands, as far as it was heard, and whether there is a key for them in that
	// person's name. "" is somebody who says who they are with each command.
	Takes(table topic.Table, person string) bool
	// Send sends a command, and waits until it is known what became of it or ctx ends.
	Send(ctx context.Context, table topic.Table, c command.Command) (command.Result, error)
}

// Audit is the log of what people do.
type Audit interface {
	// Note writes down what is about to be done. What cannot be noted is not done.
	Note(r *http.Request, about, detail string) error
	// Outcome adds how it ended to the entry that each request has when it is over.
	Outcome(r *http.Request, detail string)
}

// order is a command that a person may give on a page, and the role that it takes.
type order struct {
	what  command.What
	least people.Role
	// key says that it has a key and a dialog of its own on the table's page: the others belong to alerts.
	key bool
	// between says that tables take it between two rounds alone: the pit waits for the end of a round.
	between bool
	fields  []orderField
}

// orderField is something that an order asks for.
type orderField struct {
	name, label string
	// kind is how it is written: number, money or text.
	kind     string
	most     int
	optional bool
}

// orders are all commands that may be given on a page, in the order of their keys.
var orders = []order{
	{what: command.OpenTable, least: Supervisor, key: true, between: true},
	{what: command.CloseTable, least: Supervisor, key: true, between: true},
	{what: command.Limits, least: Supervisor, key: true, between: true, fields: []orderField{
		{name: "min", label: "pit.order-min", kind: "money", most: 15},
		{name: "box_max", label: "pit.order-max", kind: "money", most: 15},
	}},
	{
		what: command.Message, least: Supervisor, key: true,
		fields: []orderField{{name: "text", label: "pit.order-text", kind: "text", most: command.MostText}},
	},
	{what: command.Resend, least: Technician, key: true, fields: []orderField{
		{name: "from", label: "pit.order-from", kind: "number", most: 15},
		{name: "to", label: "pit.order-to", kind: "number", most: 15, optional: true},
	}},
	{what: command.AskFill, least: Supervisor},
	{what: command.AskCredit, least: Supervisor},
	{what: command.SlipApproved, least: Supervisor},
	{what: command.SlipRefused, least: Supervisor},
	{what: command.SlipSent, least: Cashier},
	{what: command.SlipReceived, least: Cashier},
	{what: command.Acknowledge, least: Supervisor},
	{what: command.Coming, least: Supervisor},
}

// orderRows are where commands are given.
func (d *Dashboard) orderRows() (rows []site.Row) {
	for _, o := range orders {
		rows = append(rows, site.Row{
			Method: http.MethodPost, Path: "/table/{site}/{table}/command/" + o.what.String(), Least: o.least,
			Serve: d.giving(o),
		})
	}
	return rows
}

// orderModel is a command's key, and the dialog that it opens.
type orderModel struct {
	What, Name, Will string
	Table, Short     string
	Fields           []fieldModel
	// Min and Max are the limits in force, which the dialog begins with.
	Min, Max string
	// Asks says that whoever gives it must say their name.
	Asks bool
}

type fieldModel struct {
	Name, Label string
	Mode        string
	Most        string
	Needed      bool
	Long        bool
}

// orderDialogs are those of the commands that somebody may give.
func (d *Dashboard) orderDialogs(r renderer, who people.Person) (all []orderModel) {
	if d.options.Commands == nil {
		return nil
	}
	for _, o := range orders {
		if !o.key || !who.May(o.least) {
			continue
		}
		name := o.what.String()
		m := orderModel{
			What: name, Name: r.say("pit.order-" + name), Will: r.say("pit.order-" + name + "-will"),
			Asks: who.Name == "",
		}
		for _, f := range o.fields {
			one := fieldModel{
				Name: f.name, Label: r.say(f.label), Most: strconv.Itoa(f.most), Needed: !f.optional,
				Long: f.kind == "text",
			}
			one.Mode = map[string]string{"number": "numeric", "money": "decimal", "text": "text"}[f.kind]
			m.Fields = append(m.Fields, one)
		}
		all = append(all, m)
	}
	return all
}

// tells says whether a table is told what a person does about it.
func (d *Dashboard) tells(table topic.Table, who people.Person) bool {
	return d.options.Commands != nil && who.May(Supervisor) && d.options.Commands.Takes(table, who.Name)
}

// commandKeys are the keys for a table, and why there are none: "" where somebody has nothing to do with them.
func (d *Dashboard) commandKeys(r renderer, who people.Person, t *floor.Tile, v *display.View) (keys []orderModel,
	none string,
) {
	dialogs := d.orderDialogs(r, who)
	switch {
	case len(dialogs) == 0:
		return nil, ""
	case t.Standing == floor.Offline || t.Standing == floor.Unknown:
		return nil, r.say("pit.order-unheard")
	case !d.options.Commands.Takes(t.Table, who.Name):
		return nil, r.say("pit.order-none")
	}
	for _, m := range dialogs {
		if v != nil && (m.What == command.OpenTable.String() && !v.Opening.Closed ||
			m.What == command.CloseTable.String() && v.Opening.Closed) {
			continue
		}
		m.Table, m.Short = tableAt(t.Table), d.named(t.Table)
		if m.What == command.Limits.String() && t.Currency != "" {
			m.Min, m.Max = r.language.Money(t.Min, t.Digits), r.language.Money(t.BoxMax, t.Digits)
		}
		keys = append(keys, m)
	}
	return keys, ""
}

// ordered is what a page sends.
type ordered struct {
	// By is who gives the command, where nobody is asked who they are.
	By     string `json:"by"`
	Code   string `json:"code"`
	Min    string `json:"min"`
	BoxMax string `json:"box_max"`
	Text   string `json:"text"`
	From   string `json:"from"`
	To     string `json:"to"`
	// Chips, Kind and Slip are of a fill or a credit.
	Chips string `json:"chips"`
	Kind  string `json:"kind"`
	Slip  string `json:"slip"`
}

// became is what a page is told of a command, a line of JSON each time that it changes: State is waits for the end of
// the round, or sent; and last done, refused, unknown or not-sent.
type became struct {
	State string `json:"state"`
	Text  string `json:"text,omitempty"`
}

// giving gives a command to a table, and answers with what the table says.
func (d *Dashboard) giving(one order) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		table, ok := d.tableOf(w, r)
		var o ordered
		if !ok || !d.decode(w, r, &o) {
			return
		}
		if name := who(r).Name; name != "" {
			o.By = name
		}
		if o.By = plain(o.By, longestName); o.By == "" {
			http.Error(w, d.speaking(r).say("pit.say-who"), http.StatusBadRequest)
			return
		}
		speak := d.speaking(r)
		tiles := d.options.Floor.Tiles()
		at := slices.IndexFunc(tiles, func(t floor.Tile) bool { return t.Table == table })
		if at < 0 {
			http.Error(w, speak.say("pit.no-table"), http.StatusNotFound)
			return
		}
		c, wrong := speak.order(one.what, &o, &tiles[at])
		if wrong != "" {
			http.Error(w, speak.say(wrong), http.StatusBadRequest)
			return
		}
		if d.ownSlip(r, table, &c) {
			http.Error(w, speak.say("trays.own"), http.StatusConflict)
			return
		}
		if unit := d.misfit(table, c); unit > 0 {
			least := speak.language.Money(unit, tiles[at].Digits)
			http.Error(w, speak.with("pit.order-bad-limits", "unit", least), http.StatusBadRequest)
			return
		}
		said := describe(c, tiles[at].Currency)
		if err := d.note(r, table, said+saidBy(r, c.Person)); err != nil {
			d.options.Log.Error("pit: a command was not sent, since it could not be written to the log of what "+
				"people do", "table", table, "what", said, "by", c.Person, "err", err)
			http.Error(w, speak.say("pit.order-unlogged"), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		tell := func(b became) { d.tell(w, b) }
		result, err := d.give(r, one, table, c, tell)
		b, outcome := speak.became(d.named(table), d.options.Answer, result, err)
		d.options.Log.Info("pit: a command was given to a table", "table", table, "what", said, "by", c.Person,
			"outcome", outcome)
		if d.options.Audit != nil {
			d.options.Audit.Outcome(r, outcome)
		}
		tell(b)
	}
}

// tell tells a page how its command stands.
func (d *Dashboard) tell(w http.ResponseWriter, b became) {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // two texts
	}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(d.options.WriteTimeout)) // a screen that is gone does not matter
	if _, err = w.Write(append(text, '\n')); err == nil {
		err = control.Flush()
	}
	_ = control.SetWriteDeadline(time.Time{}) // by HTTP/2 one ends the stream also while nothing is written
	if err != nil {
		d.options.Log.Debug("pit: the browser left before it had everything", "err", err)
	}
}

const (
	// longestRound is how long the end of a round is waited for.
	longestRound = 10 * time.Minute
	// mostTries is how often a command is sent for which another round has come too early: each is in the table's
	// record.
	mostTries = 5
)

// errNoMore is a command that was not sent: while the round lasted, the session of who gave it ended, or another role
// is theirs.
var errNoMore = errors.New("the session of who gave it is over")

// errRoundLasts is a command that was not sent: who gave it has given up, or the round lasts too long.
var errRoundLasts = errors.New("the round did not end while somebody waited")

// give sends a command, one for between two rounds once the round is over. ctx ends when nobody waits any more; what
// was sent is followed to its end all the same, so that the log has what became of it.
func (d *Dashboard) give(r *http.Request, one order, table topic.Table, c command.Command,
	tell func(became),
) (command.Result, error) {
	ctx := r.Context()
	var refused uint64
	for try := 1; ; try++ {
		if one.between {
			var err error
			if refused, err = d.betweenRounds(ctx, table, refused, tell); err != nil {
				return command.Result{}, err
			}
			switch {
			case ctx.Err() != nil:
				return command.Result{}, errRoundLasts
			case !d.still(r, one.least):
				return command.Result{}, errNoMore
			}
		}
		tell(became{State: "sent"})
		during, done := context.WithTimeout(context.WithoutCancel(ctx), d.options.Answer)
		result, err := d.options.Commands.Send(during, table, c)
		done()
		if !one.between || err != nil || result.Reason != vocab.RoundRunning.String() || try == mostTries {
			return result, err
		}
	}
}

// betweenRounds waits until no round is running at a table, by what was heard after a record; and returns by which.
func (d *Dashboard) betweenRounds(ctx context.Context, table topic.Table, after uint64,
	tell func(became),
) (uint64, error) {
	ctx, stop := context.WithTimeout(ctx, longestRound)
	defer stop()
	for told := false; ; told = true {
		changed := d.options.Floor.Changed()
		v, known := d.options.Floor.View(table)
		if !known || v.Phase == vocab.Idle && (after == 0 || v.Seq > after) {
			return v.Seq, nil
		}
		if !told {
			tell(became{State: "waits"})
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, errRoundLasts
		}
	}
}

// saidBy names, for the log of what people do, whoever has said no more than a name; that of others is in the log
// anyway.
func saidBy(r *http.Request, name string) string {
	if who(r).Name != "" {
		return ""
	}
	return " by " + name
}

func (d *Dashboard) note(r *http.Request, table topic.Table, said string) error {
	if d.options.Audit == nil {
		return nil
	}
	return d.options.Audit.Note(r, table.String(), said)
}

// order makes a command of what a page sent; what is wrong with it is the key of a text.
func (r renderer) order(what command.What, o *ordered, t *floor.Tile) (c command.Command, wrong string) {
	c = command.Command{What: what, Person: o.By}
	if command.CheckPerson(c.Person) != nil {
		return c, "pit.order-bad-name"
	}
	switch what {
	case command.Acknowledge:
		code, ok := irregularity.ParseCode(o.Code)
		if !ok {
			return c, "pit.order-bad-code"
		}
		c.Code = code
	case command.Limits:
		var okMin, okMax bool
		c.Min, okMin = amount(r.language, o.Min, t.Digits)
		c.BoxMax, okMax = amount(r.language, o.BoxMax, t.Digits)
		if !okMin || !okMax || t.Currency == "" {
			return c, "pit.wrong-amount"
		}
	case command.Message:
		if c.Text = plain(o.Text, command.MostText+1); command.CheckText(c.Text) != nil {
			return c, "pit.order-bad-text"
		}
	case command.Resend:
		var okFrom, okTo bool
		c.From, okFrom = sequence(o.From)
		if c.To, okTo = sequence(o.To); strings.TrimSpace(o.To) == "" {
			c.To, okTo = 0, true
		}
		if !okFrom || !okTo || c.To != 0 && c.To < c.From {
			return c, "pit.order-bad-range"
		}
	case command.AskFill, command.AskCredit, command.SlipApproved, command.SlipRefused, command.SlipSent,
		command.SlipReceived:
		return c, slipOrder(&c, o)
	}
	return c, ""
}

// misfit returns the smallest amount of a table that would refuse limits, as far as it was heard: 0 if it may take
// them.
func (d *Dashboard) misfit(table topic.Table, c command.Command) (unit int64) {
	v, known := d.options.Floor.View(table)
	if c.What != command.Limits || !known || v.Unit == 0 {
		return 0
	}
	if c.Min > 0 && c.Min%v.Unit == 0 && c.BoxMax%v.Unit == 0 && c.BoxMax >= c.Min {
		return 0
	}
	return v.Unit
}

// sequence reads the number of an event.
func sequence(text string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 53)
	return n, err == nil && n > 0
}

// describe writes a command to a table of a currency into the log.
func describe(c command.Command, currency string) string {
	text := c.What.String()
	switch c.What {
	case command.Acknowledge:
		text += " " + c.Code.String()
	case command.Limits:
		text += fmt.Sprintf(" min %d box_max %d", c.Min, c.BoxMax)
		if money.IsCurrency(currency) {
			text += " " + currency
		}
	case command.Message:
		text += fmt.Sprintf(" %q", c.Text)
	case command.Resend:
		text += fmt.Sprintf(" from %d", c.From)
		if c.To > 0 {
			text += fmt.Sprintf(" to %d", c.To)
		}
	case command.AskFill, command.AskCredit:
		text += " " + c.Chips
	case command.SlipApproved, command.SlipSent, command.SlipReceived:
		text += fmt.Sprintf(" %s %d", c.Kind, c.Slip)
	case command.SlipRefused:
		text += fmt.Sprintf(" %s %d %q", c.Kind, c.Slip, c.Text)
	}
	return text
}

// answered are the refusals that a table answers to a command of the pit's own, each with a text.
var answered = []command.Refusal{
	command.Foreign, command.OtherSession, command.Expired, command.TooFar, command.Unauthorised, command.TooMany,
}

// became says what became of a command: to the person, and to the log.
func (r renderer) became(table string, waited time.Duration, result command.Result, err error) (b became,
	outcome string,
) {
	unknown := (*command.UnknownError)(nil)
	switch {
	case errors.As(err, &unknown):
		n := strconv.Itoa(int(waited / time.Second))
		return became{"unknown", r.with("pit.order-unknown", "table", table, "n", n)},
			fmt.Sprintf("command %s: no answer", unknown.ID)
	case err != nil:
		key := "pit.order-not-sent"
		switch {
		case errors.Is(err, errRoundLasts):
			key = "pit.order-lasts"
		case errors.Is(err, errNoMore):
			key = "people.over"
		case errors.Is(err, command.ErrNotSent):
			key = "pit.order-broker"
		case errors.Is(err, command.ErrNotHeard):
			key = "pit.order-unheard"
		case errors.Is(err, command.ErrClosed):
			key = "pit.order-none"
		}
		return became{"not-sent", r.say(key)}, "not sent: " + err.Error()
	case result.State == command.Done:
		outcome = fmt.Sprintf("command %s: done", result.ID)
		if result.Record != 0 {
			outcome += fmt.Sprintf(", record %d", result.Record)
		}
		return became{"done", r.with("pit.order-done", "table", table)}, outcome
	}
	return became{"refused", r.with("pit.order-refused", "table", table, "why", r.reason(result))},
		fmt.Sprintf("command %s: refused, %s", result.ID, result.Reason)
}

// reason says why a table did not do what it was told.
func (r renderer) reason(result command.Result) string {
	at := slices.IndexFunc(answered, func(one command.Refusal) bool { return one.String() == result.Reason })
	switch {
	case result.Reason == "":
		return r.say("pit.order-lost")
	case at >= 0:
		return r.say("pit.order-is-" + result.Reason)
	}
	return r.language.Label(display.LabelRejected, result.Reason)
}
