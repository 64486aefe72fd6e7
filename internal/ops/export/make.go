package export

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// maker makes rows from records, a round at a time: only at the end of a round is it known
// which of its inputs were undone.
type maker struct {
	emit   func(row any) error
	reader history.Reader
	counts Counts

	// rulesOf is the text of rules with a fingerprint, nil where the journal has none, and currencies what was found.
	rulesOf    func(fingerprint string) ([]byte, error)
	currencies map[string]string

	// currency is that of the table's own set-up, "" where it has the house's.
	house, currency, dealer, shift string
	shoe                           history.Shoe
	rules                          string           // the fingerprint of those in force
	round                          []journal.Record // the round under way
	// irregular are all irregularities. They are written last, since some are put right in
	// a later round.
	irregular []irregularityRow
}

// pass notes what a record that is not written changes.
func (m *maker) pass(r *journal.Record) {
	m.ruled(r)
	if bytes.Contains(r.Input, []byte("setup")) {
		m.setUp(m.reader.Input(r.Input), bytes.Contains(r.Outputs, []byte(`"out":"rejected"`)))
	}
	if !bytes.Contains(r.Outputs, []byte(`"out":"dealer"`)) && !bytes.Contains(r.Outputs, []byte(`"out":"shoe"`)) {
		return
	}
	for line := range r.Lines() {
		m.follow(m.reader.Output(line))
	}
}

// ruled notes which rules are in force. A record may name them only if they are new.
func (m *maker) ruled(r *journal.Record) {
	if len(r.Rules) > 0 {
		m.rules = hex.EncodeToString(r.Rules)
	}
}

// setUp notes which house is played.
func (m *maker) setUp(in history.Line, refused bool) {
	if in.In.Setup != nil && !refused {
		m.house, m.currency = in.In.Setup.House, in.In.Setup.Currency
	}
}

// playedIn is the currency of the rules in force, "" where the journal does not have them.
func (m *maker) playedIn() (string, error) {
	if m.currency != "" {
		return m.currency, nil
	}
	found, known := m.currencies[m.rules]
	if known || m.rules == "" {
		return found, nil
	}
	text, err := m.rulesOf(m.rules)
	if err != nil {
		return "", err
	}
	if house, wrong := profile.FromText(text); text != nil && wrong == nil { // a newer version's are not read
		found = house.Table.Currency
	}
	m.currencies[m.rules] = found
	return found, nil
}

// follow notes who deals, and from which shoe.
func (m *maker) follow(out history.Line) {
	switch out.Out.Kind {
	case vocab.DealerChanged:
		m.dealer, m.shift = out.Out.By, out.Out.Dealer.Shift
	case vocab.ShoeChanged:
		m.shoe = history.ShoeOf(&out.Out)
	}
}

// begins notes what a round begins with.
func (m *maker) begins(row *roundRow) {
	row.House, row.Dealer, row.Shift = some(m.house), some(m.dealer), some(m.shift)
	row.ShoeMaker, row.ShoeSerial, row.Firmware, row.Packs = some(m.shoe.Maker), some(m.shoe.Serial),
		some(m.shoe.Firmware), some(m.shoe.Packs)
}

// add takes the next record that is written.
func (m *maker) add(r journal.Record) error {
	if len(m.round) > 0 && m.round[0].Round != r.Round {
		if err := m.flush(); err != nil {
			return err
		}
	}
	m.round = append(m.round, r)
	return nil
}

// end writes the rest.
func (m *maker) end() error {
	if err := m.flush(); err != nil {
		return err
	}
	for _, row := range m.irregular {
		if err := m.emit(row); err != nil {
			return err
		}
	}
	m.counts.Irregularities = len(m.irregular)
	return nil
}

// flush writes the round under way.
func (m *maker) flush() error {
	if len(m.round) == 0 {
		return nil
	}
	records := make([]history.Record, len(m.round))
	for i, r := range m.round {
		records[i] = history.Record{Seq: r.Seq, At: r.At, Input: r.Input, Outputs: r.Outputs}
	}
	number := m.round[0].Round
	round := history.Of(number, records)
	row, err := m.roundRow(&round)
	if err != nil {
		return err
	}
	for i := range round.Steps {
		if err := m.step(&m.round[i], &round.Steps[i], &row); err != nil {
			return err
		}
	}
	m.round = m.round[:0]
	if number == 0 {
		return nil // what came before the first round
	}
	m.counts.Rounds++
	return m.emit(row)
}

// roundRow is the row of a round. Who dealt it is known when it is opened.
func (m *maker) roundRow(r *history.Round) (roundRow, error) {
	row := roundRow{
		Number: int64(r.Number), Began: InstantOf(r.Began), Ended: InstantOf(r.Ended),
		Void:        r.Void,
		FirstRecord: int64(m.round[0].Seq), LastRecord: int64(m.round[len(m.round)-1].Seq),
	}
	m.begins(&row)
	currency, err := m.playedIn()
	row.Currency = some(currency)
	if result := r.Result; result != nil {
		out, sums := &result.Out, &result.Out.Sums
		total := int64(out.Total)
		row.Bank, row.Total = some(cardNames(out.Bank)), &total
		row.Staked, row.Returned, row.Won = history.Amount(sums.Staked, !sums.Unstated),
			history.Amount(sums.Returned, !sums.Unstated), history.Amount(sums.Won, !sums.Unstated)
		more, _ := r.Over()
		row.Paid = history.Amount(sums.Won+more, !sums.Unstated)
	}
	return row, err
}

// step writes a record and its events. What it changes for its round goes into row.
func (m *maker) step(r *journal.Record, s *history.Step, row *roundRow) error {
	m.ruled(r)
	record := recordOf(r, s)
	record.Rules = some(m.rules)
	if err := m.emit(record); err != nil {
		return err
	}
	m.counts.Records++
	m.setUp(s.Input, s.Rejected())
	for i := range s.Outputs {
		out := &s.Outputs[i]
		event := eventOf(r, s, int64(r.FirstEvent)+int64(i), out)
		if err := m.emit(event); err != nil {
			return err
		}
		m.counts.Events++
		m.follow(*out)
		if tray, is := trayOf(&event, out); is {
			if err := m.emit(tray); err != nil {
				return err
			}
		}
		switch out.Out.Kind {
		case vocab.Opened:
			m.begins(row)
		case vocab.Irregular:
			m.irregular = append(m.irregular, m.irregularity(&event, out))
		case vocab.Resolved:
			m.resolve(s, out)
		}
	}
	return nil
}

// recordOf is the row of a record, except for the rules in force.
func recordOf(r *journal.Record, s *history.Step) recordRow {
	row := recordRow{
		Number: int64(r.Seq), Time: Instant(r.At), Boot: int64(r.Boot), Round: int64(r.Round),
		FirstEvent: int64(r.FirstEvent),
		Input:      string(r.Input), Outputs: list(s.Outputs), TakenBack: some(int64(s.TakenBack)),
		Hash: hex.EncodeToString(r.Hash[:]),
	}
	if boot, seq := int64(r.ShoeBoot), int64(r.ShoeSeq); boot != 0 || seq != 0 {
		row.ShoeBoot, row.ShoeSeq = &boot, &seq
	}
	return row
}

// list makes lines a JSON array, in which a line that is not JSON is a string.
func list(lines []history.Line) string {
	texts := make([]string, len(lines))
	for i := range lines {
		texts[i] = jsonOf(lines[i].Text())
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func jsonOf(line string) string {
	if json.Valid([]byte(line)) {
		return line
	}
	quoted, _ := json.Marshal(line) // a text is always written
	return string(quoted)
}

func eventOf(r *journal.Record, s *history.Step, number int64, line *history.Line) eventRow {
	out := &line.Out
	row := eventRow{
		Number: number, Record: int64(r.Seq), Time: Instant(r.At), Boot: int64(r.Boot),
		Round: int64(r.Round),
		Out:   some(kindOf(line)), Box: some(int64(out.Box)), Hand: some(int64(out.Hand)), Bettor: some(out.Bettor),
		Wager:   some(out.Wager.String()),
		Outcome: some(out.Outcome.String()), Why: some(whyOf(out)),
		Card: some(out.Card.String()), GoesTo: some(out.To.String()),
		Code: some(out.Code.String()), TakenBack: some(int64(s.Back(out.Kind))), Line: line.Text(),
	}
	row.amounts(out)
	return row
}

// trayOf is what a line tells of the tray; is says that it does.
func trayOf(e *eventRow, line *history.Line) (row trayRow, is bool) {
	out := &line.Out
	if out.Trouble == nil || out.Trouble.Tray == nil {
		return row, false
	}
	y := out.Trouble.Tray
	row = trayRow{
		Number: e.Number, Record: e.Record, Time: e.Time, Round: e.Round, What: y.Of.String(),
		Slip:  some(int64(y.Slip)),
		Event: some(cmp.Or(y.Count.String(), y.Step.String())), Chips: some(vocab.ChipsText(y.Chips)),
		For: some(vocab.ChipsText(y.For)), Amount: e.Amount, Tray: e.Tray, By: some(out.By), Reason: some(out.Because),
	}
	if out.Kind != vocab.Counted {
		return row, true
	}
	row.What = vocab.InCount.String()
	row.Difference, row.Before = history.Amount(y.Difference, out.InTray.Known), some(int64(y.Since))
	row.Rounds, row.Unknown, row.Corrected, row.Accepted = some(int64(y.Rounds)), some(int64(y.Unknown)),
		some(int64(y.Corrected)), some(int64(y.Accepted))
	row.Adjusted, row.Large, row.Dealer = some(int64(y.Adjusted)), some(int64(y.Large)), some(y.Dealer)
	row.Dealers = some(strings.Join(y.Dealers, ", "))
	return row, true
}

// kindOf names an output, also one that another version of the program wrote.
func kindOf(line *history.Line) string {
	var is struct{ Out string }
	if line.Out.Kind == 0 && json.Unmarshal([]byte(line.Text()), &is) == nil {
		return is.Out
	}
	return line.Out.Kind.String()
}

// whyOf is what decided a wager, or why a hand is done.
func whyOf(out *vocab.Output) string { return cmp.Or(out.Done.String(), out.Why.String()) }

// amounts are what a wager came to, and what a hand or the bank counts.
func (row *eventRow) amounts(out *vocab.Output) {
	total := history.Amount(int64(out.Total), true)
	if out.Trouble != nil {
		row.Tray = history.Amount(out.InTray.Amount, out.InTray.Known)
	}
	switch out.Kind {
	case vocab.Settled:
		row.Returned = history.Amount(out.Returned, !out.Unstated)
		fallthrough
	case vocab.Bonus:
		row.Stake, row.Won = history.Amount(out.Stake, !out.Unstated), history.Amount(out.Won, !out.Unstated)
		if out.Odds.Den != 0 {
			row.Ratio = some(out.Odds.String())
		}
		if out.Times > 1 {
			row.Times = some(int64(out.Times))
		}
	case vocab.Payout:
		row.Due, row.Paid = history.Amount(out.Payment.Owed, true), history.Amount(out.Payment.Given, true)
	case vocab.Adjusted:
		if out.Trouble != nil {
			row.Due, row.Paid, row.OfRound = history.Amount(0, true), history.Amount(out.Adjusted, true),
				history.Amount(int64(out.Round), true)
		}
	case vocab.Counted, vocab.TrayMoved:
		if out.Trouble != nil && out.Trouble.Tray != nil {
			row.Amount = history.Amount(out.Trouble.Tray.Amount, true)
		}
	case vocab.Irregular, vocab.Finished:
		if out.Trouble != nil {
			row.Due = history.Amount(out.Payment.Owed, out.Payment.Differs)
			row.Paid = history.Amount(out.Payment.Given, out.Payment.Differs)
		}
	case vocab.PaidAtOnce:
		row.Returned, row.Won = history.Amount(out.Returned, !out.Unstated), history.Amount(out.Won, !out.Unstated)
	case vocab.RoundDecided:
		sums := &out.Sums
		row.Total, row.Returned, row.Won = total, history.Amount(sums.Returned, !sums.Unstated),
			history.Amount(sums.Won, !sums.Unstated)
	case vocab.Dealt:
		if out.Points {
			row.Points = total
		} else if out.To != vocab.ToAside {
			row.Total = total
		}
	}
}

func cardNames(cards []card.Card) string {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}

func (m *maker) irregularity(e *eventRow, line *history.Line) irregularityRow {
	out := &line.Out
	return irregularityRow{
		Number: e.Number, Record: e.Record, Time: e.Time, Round: e.Round, Dealer: some(m.dealer), Shift: some(m.shift),
		Code: out.Code.String(), Card: e.Card, Box: e.Box, Missing: some(int64(out.Irregular.Missing)),
		Alarm:     some(out.Irregular.Alarm),
		TakenBack: e.TakenBack,
	}
}

// resolve notes how an irregularity was put right: the oldest of its kind, as in the engine.
// An alarm that the shoe clears is identified by its name.
func (m *maker) resolve(s *history.Step, line *history.Line) {
	in, out := &s.Input.In, &line.Out
	for i := range m.irregular {
		row := &m.irregular[i]
		other := in.Kind == vocab.InShoe && row.Alarm != nil && *row.Alarm != in.Code
		if row.Code != out.Code.String() || row.Resolved != 0 || row.TakenBack != nil || other {
			continue
		}
		row.Resolved, row.ResolvedWith, row.ResolvedBy, row.Reason = InstantOf(s.At),
			some(out.With.String()), some(out.By), some(out.Because)
		return
	}
}

// some is a value that may be missing, which the zero value means.
func some[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
