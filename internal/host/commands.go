package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

const (
	// mostCommands is how many messages wait to be looked at, and how many commands wait for
	// the table, as while it cannot record.
	mostCommands = 64
	// refusedEvery is how often refused commands go on record, but for the first.
	refusedEvery = time.Minute
	// lookBack is how many of the journal's last records are searched for commands of the
	// sessions before: what a pit asks about right after a restart is among them.
	lookBack = 20_000
)

// commands takes what the pit tells the table to do. It is nil for a table that takes none.
type commands struct {
	table   topic.Table
	boot    uint64
	parser  *transcript.Parser
	gate    *command.Gate // only run uses it
	begun   time.Time
	earlier map[string]command.Became // what became of the commands of earlier sessions
	inbox   chan []byte
	queue   chan command.Command // to be carried out
	settled chan settled         // carried out
	refused refusals
	log     *slog.Logger

	taken, refusals, unread atomic.Uint64

	// put puts an input into the engine, resend has events published again, answer answers a
	// pit, and record puts something on record without waiting. dealer is who deals.
	put    func(context.Context, vocab.Input, func(*table.Table) bool) (runner.Answer, error)
	resend func(topic.Request) bool
	answer func(pit string, payload []byte) bool
	record func(vocab.Input)
	dealer func() string
}

// settled is what became of a command.
type settled struct {
	command.Command
	command.Became
	text string
}

func (d *Daemon) openCommands(name topic.Table) (*commands, error) {
	keys, err := d.config.Commands.Known()
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	c := &commands{
		parser: transcript.NewParser(nil),
		table:  name, boot: d.Boot(), gate: command.NewGate(name, command.NewID(), keys), begun: time.Now(),
		earlier: map[string]command.Became{}, inbox: make(chan []byte, mostCommands),
		queue:   make(chan command.Command, mostCommands),
		settled: make(chan settled, mostCommands), log: d.log.With("part", "commands"),
		record: d.record, dealer: func() string { return d.Shift().Dealer },
	}
	c.put = d.runner.SubmitIf
	next, _ := d.kept.journal.Next()
	for r, err := range d.kept.journal.Records(max(next, lookBack+1) - lookBack) {
		if err != nil {
			c.log.Warn("which commands were carried out before cannot be read from the journal: a pit that asks "+
				"hears that they were not", "err", err)
			break
		}
		c.remember(&r)
	}
	c.log.Info("the table takes signed commands of the pit", "keys", len(keys))
	return c, nil
}

// remember notes what became of a command, by its record.
func (c *commands) remember(r *journal.Record) {
	if !bytes.Contains(r.Input, []byte(`"command":"`)) {
		return
	}
	in, ok := c.parser.ReadInput(r.Input)
	if !ok || in.Command == "" {
		return
	}
	b := command.Became{State: command.Done, Record: r.Seq}
	if rest, rejected := bytes.CutPrefix(r.Outputs, []byte(`{"out":"rejected","reason":"`)); rejected {
		reason, _, _ := bytes.Cut(rest, []byte{'"'})
		b.State, b.Reason = command.NotDone, string(reason)
	}
	c.earlier[in.Command] = b
}

// heard takes a message, on a goroutine that must not wait: what is too much is counted.
func (c *commands) heard(payload []byte) {
	select {
	case c.inbox <- payload:
	default:
		c.unread.Add(1)
	}
}

// health is how the table does with commands.
func (c *commands) health() *topic.Commands {
	if c == nil {
		return nil
	}
	unread := c.unread.Load()
	return &topic.Commands{
		Session: c.gate.Session(), Clock: uint64(time.Since(c.begun).Milliseconds()),
		Taken: c.taken.Load(), Refused: c.refusals.Load() + unread, Unread: unread,
	}
}

// run judges what comes, until ctx ends. It waits for nothing, so that a table that cannot
// record still says of each command what becomes of it.
func (c *commands) run(ctx context.Context) {
	if c == nil {
		return
	}
	var carrying sync.WaitGroup
	carrying.Go(func() { c.carryOut(ctx) })
	defer carrying.Wait()
	tell := time.NewTicker(time.Second)
	defer tell.Stop()
	for {
		select {
		case <-ctx.Done():
			c.refused.tellRefusals(c)
			return
		case payload := <-c.inbox:
			c.judge(payload)
		case s := <-c.settled:
			c.gate.Settle(s.ID, s.Became)
			c.say(s)
		case <-tell.C:
			c.refused.tell(c, time.Now())
		}
	}
}

// judge finds out whether a message is to be carried out.
func (c *commands) judge(payload []byte) {
	v := c.gate.Judge(time.Since(c.begun), payload)
	s := settled{Command: v.Command, Became: command.Became{State: command.NotDone, Reason: v.Refused.String()}}
	switch {
	case v.Refused != 0:
		c.refuse(v)
		s.Of = "" // it is not the answer to a question
		if b, known := c.earlier[v.Command.ID]; known && v.Refused == command.OtherSession {
			s.Became = b // it came again, after a restart
		}
		if v.Answers {
			c.say(s)
		}
		return
	case v.Command.What == command.Outcome:
		s.Became = c.became(v.Command.Of)
		c.gate.Settle(v.Command.ID, command.Became{State: command.Done})
		c.say(s)
	default:
		select {
		case c.queue <- v.Command:
		default:
			s.Reason = command.TooMany.String()
			c.gate.Settle(v.Command.ID, s.Became)
			c.say(s)
			return
		}
	}
	c.taken.Add(1)
	c.log.Info("the pit sends a command", "what", v.Command.What, "id", v.Command.ID, "person", v.Command.Person, "pit",
		v.Command.Pit, "key", v.Key)
}

// became is what became of a command, of this session or of one before.
func (c *commands) became(id string) command.Became {
	if b, known := c.earlier[id]; known {
		return b
	}
	return c.gate.Became(id)
}

// refuse counts a refused command, and has it told.
func (c *commands) refuse(v command.Verdict) {
	if v.Refused == command.Unread {
		c.unread.Add(1)
	} else {
		c.refusals.Add(1)
	}
	c.refused.last, c.refused.by = v.Refused, v.Command.Person
	c.refused.tell(c, time.Now())
}

// say answers the pit that sent a command.
func (c *commands) say(s settled) {
	a := topic.Answer{
		Site: c.table.Site(), Table: c.table.Name(), Boot: c.boot, Time: time.Now(), ID: s.ID, What: s.What.String(),
		State: s.State.String(), Record: s.Record, Reason: s.Reason, Text: s.text, Of: s.Of,
	}
	if !c.answer(s.Pit, topic.AppendAnswer(nil, a)) {
		c.log.Warn("a command is not answered: too many answers wait for the broker; the pit asks", "id", s.ID,
			"pit", s.Pit)
	}
}

// carryOut carries out commands, one after the other, until ctx ends. What the table did not
// say of one by then, the journal says after the next start.
func (c *commands) carryOut(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case one := <-c.queue:
			s, err := c.do(ctx, one)
			if err != nil {
				continue
			}
			select {
			case c.settled <- s:
			case <-ctx.Done():
				return
			}
		}
	}
}

// do carries out one command. An error is a table that ends.
func (c *commands) do(ctx context.Context, one command.Command) (settled, error) {
	s := settled{Command: one, Became: command.Became{State: command.NotDone}}
	if one.What == command.Resend {
		if s.State = command.Done; !c.resend(topic.Request{From: one.From, To: one.To}) {
			s.State, s.Reason = command.NotDone, command.TooMany.String()
		}
		return s, nil
	}
	if atTheTable(&one) {
		s.Reason = vocab.CallNotAllowed.String()
		s.text = "the chips are at the table: its dealer alone counts a fill in, and gives a credit out"
		return s, nil
	}
	var wrong error
	in := c.input(&one)
	answer, err := c.put(ctx, in, func(t *table.Table) bool {
		if r := t.Rules(); in.Kind == vocab.InLimits && r != nil {
			if _, complaints := r.WithLimits(in.Limits.Min, in.Limits.BoxMax); len(complaints) > 0 {
				wrong = complaints
			}
		}
		return time.Since(c.begun) < time.Duration(one.Expires)*time.Millisecond
	})
	switch {
	case errors.Is(err, runner.ErrMovedOn):
		s.Reason, s.text = command.Expired.String(), "the table could not record for so long that the command expired"
	case err != nil:
		return s, err
	case answer.Rejected == 0:
		s.Became = command.Became{State: command.Done, Record: answer.Seq}
	default:
		s.Record, s.Reason = answer.Seq, answer.Rejected.String()
		if answer.Rejected == vocab.BadLimits && wrong != nil {
			s.text = fmt.Sprint(wrong)
		}
	}
	return s, nil
}

// atTheTable says whether a command is a step of a slip that is taken where the chips are, and not by the cage.
func atTheTable(one *command.Command) bool {
	return one.What == command.SlipReceived && one.Kind == command.KindFill ||
		one.What == command.SlipSent && one.Kind == command.KindCredit
}

// input is what a command puts into the engine.
func (c *commands) input(one *command.Command) vocab.Input {
	in := vocab.Input{By: one.Person}
	switch one.What {
	case command.Acknowledge:
		in.Kind, in.Irregularity = vocab.InAcknowledge, one.Code
	case command.Coming:
		in.Kind, in.Irregularity = vocab.InAcknowledge, irregularity.FloorCalled
	case command.OpenTable:
		in.Kind, in.Table.Event = vocab.InTable, vocab.TableOpened
	case command.CloseTable:
		in.Kind, in.Table.Event = vocab.InTable, vocab.TableClosed
	case command.Limits:
		in.Kind = vocab.InLimits
		in.Limits = vocab.LimitsChange{Min: one.Min, BoxMax: one.BoxMax}
	case command.Message:
		in.Kind, in.Message = vocab.InMessage, vocab.Message{Event: vocab.MessageSent, Text: one.Text}
	default:
		ofSlip(&in, one)
	}
	if in.Kind == vocab.InTable {
		in.Table.Dealer = c.dealer()
	}
	in.Command = one.ID
	in.Come(vocab.Origin{From: vocab.FromPit, At: one.Pit, Who: c.dealer()}.Shown())
	return in
}

// slipSteps are the steps of a slip that the pit takes.
var slipSteps = map[command.What]vocab.SlipStep{
	command.AskFill: vocab.SlipAsked, command.AskCredit: vocab.SlipAsked, command.SlipApproved: vocab.SlipApproved,
	command.SlipRefused: vocab.SlipRefused, command.SlipSent: vocab.SlipSent, command.SlipReceived: vocab.SlipReceived,
}

// ofSlip is a step of a fill or a credit. An approval is in the name of the person whom the pit, or a key of their own,
// vouches for: the table's configuration says that the key may give it.
func ofSlip(in *vocab.Input, one *command.Command) {
	in.Kind = vocab.InFill
	if one.What == command.AskCredit || one.Kind == command.KindCredit {
		in.Kind = vocab.InCredit
	}
	in.Tray = &vocab.Tray{Step: slipSteps[one.What], Slip: uint32(one.Slip)}
	if in.Tray.Chips, _ = vocab.ParseChips(one.Chips); in.Tray.Step == vocab.SlipRefused {
		in.Because = one.Text
	}
}

// refusals are told at once, and then all those of a minute together.
type refusals struct {
	last command.Refusal
	by   string
	told uint64    // how many were told
	at   time.Time // when
}

// tell puts on record what was refused since the last time, unless that was a moment ago.
func (r *refusals) tell(c *commands, now time.Time) {
	all := c.refusals.Load() + c.unread.Load()
	if all == r.told || !r.at.IsZero() && now.Sub(r.at) < refusedEvery {
		return
	}
	if r.last == 0 {
		r.last = command.Unread
	}
	in := vocab.Input{Kind: vocab.InCommand, By: r.by}
	in.Refused = vocab.RefusedCommands{Why: r.last.String(), Times: uint32(min(all-r.told, 1<<32-1))}
	in.Come(vocab.Origin{From: vocab.FromPit})
	c.log.Warn("COMMANDS TO THE TABLE WERE REFUSED: look at who may write to its command topic, and at the keys in "+
		"its configuration",
		"refused", all-r.told, "last", r.last, "by", r.by)
	c.record(in)
	*r = refusals{told: all, at: now}
}

// tellRefusals logs what is not told yet.
func (r *refusals) tellRefusals(c *commands) {
	if all := c.refusals.Load() + c.unread.Load(); all != r.told {
		c.log.Warn("commands to the table were refused, which is in the log alone", "refused", all-r.told,
			"last", r.last)
	}
}
