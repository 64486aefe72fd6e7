package odds

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
)

func (s *Sheet) amount(a money.Amount) string { return money.Format(a, s.Rules.Digits()) }

// major is how many minor units make one of the currency.
func (s *Sheet) major() float64 { return math.Pow10(s.Rules.Digits()) }

// percentText writes a part of one. What is rounded to nothing has no sign.
func percentText(x float64) string {
	return fmt.Sprintf("%.3f %%", 100*zeroed(x, 1e-5))
}

// zeroed is x, or 0 for what is nothing in steps of such a size.
func zeroed(x, step float64) float64 {
	if math.Abs(x) < step/2 {
		return 0
	}
	return x
}

// Heading says of which house and cards the sheet is.
func (s *Sheet) Heading() string {
	text := fmt.Sprintf("%s (%s), %s, %d cards", s.Rules.Title, s.Rules.House, packsText(s.Packs), s.Cards)
	if s.Boxes > 1 {
		text += fmt.Sprintf(", %d boxes", s.Boxes)
	}
	if len(s.Set) > 0 {
		text += ", with " + strings.Join(s.Set, ", ")
	}
	return text
}

func packsText(n int) string {
	if n == 1 {
		return "1 pack"
	}
	return fmt.Sprintf("%d packs", n)
}

// Text writes the sheet for people: each wager, and under it its lines.
func (s *Sheet) Text(to io.Writer) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\n\nwager\thouse edge\tof the least stake\tdeviation\twins\thow\n", s.Heading())
	for i := range s.Wagers {
		w := &s.Wagers[i]
		least := LeastStake(s.Rules, w.Name)
		fmt.Fprintf(table, "%s\t%s\t%+.4f of %s\t%.3f\t%s\t%s\n", w.Name, percentText(w.Edge),
			zeroed(w.Edge*float64(least)/s.major(), 1e-4), s.amount(least), deviation(w), percentText(w.Hit),
			w.HowFound())
		for _, l := range w.Lines {
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\n", l.Name, l.Pays, perThousand(l.P), worthText(&l), "",
				probabilityText(&l))
		}
		if w.LongRun != nil {
			fmt.Fprintf(table, "  in the long run\t%s\twhen what goes into the jackpot has come back\t\t\t\n",
				percentText(*w.LongRun))
		}
		if w.EachUnit > 0 {
			fmt.Fprintf(table, "  jackpot that breaks even\t%s\t%.4f %% less edge for each %s\t\t\t\n",
				s.breakEven(w), 100*100*s.major()*w.EachUnit, s.amount(100*money.Amount(s.major())))
		}
	}
	return table.Flush()
}

// HowFound says how a wager's figures were found.
func (w *Wager) HowFound() string {
	switch w.Method {
	case Bounded:
		return fmt.Sprintf("bounded, within %.1e", w.Error)
	case Simulated:
		return fmt.Sprintf("simulated, %d rounds, standard error %s", w.Rounds, percentText(w.Error))
	}
	return "exact"
}

func perThousand(p float64) string { return fmt.Sprintf("%.3f in 1,000", 1000*p) }

func worthText(l *Line) string {
	if l.Worth == 0 {
		return ""
	}
	return "worth " + percentText(l.Worth)
}

func probabilityText(l *Line) string {
	if l.Probability == nil {
		return ""
	}
	if text := l.Probability.RatString(); len(text) <= 24 {
		return text
	}
	return "" // --json has it whole
}

func (s *Sheet) breakEven(w *Wager) string {
	if w.BreakEven == 0 {
		return "any"
	}
	return s.amount(w.BreakEven)
}

// BankText writes how the bank ends.
func (s *Sheet) BankText(to io.Writer, rank card.Rank, ends [Ends]*big.Rat) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	first := "any first card"
	if rank != 0 {
		first = "first card " + rankName(rank)
	}
	fmt.Fprintf(table, "the bank, %s\n", first)
	for end, p := range ends {
		fmt.Fprintf(table, "  %s\t%s\n", End(end), percentText(float(p)))
	}
	return table.Flush()
}

// DifferenceText writes two sheets beside each other, and how much the second is more for the house.
func DifferenceText(to io.Writer, a, b *Sheet, nameA, nameB string) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "house edge\t%s\t%s\tdifference\tvariance\t%s\n", nameA, nameB, nameB)
	for _, name := range bothNames(a, b) {
		one, other := a.Wager(name), b.Wager(name)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", name, edgeOf(one), edgeOf(other), differenceOf(one, other),
			varianceOf(one), varianceOf(other))
		if long := longRuns(one, other); long[0] != nil || long[1] != nil {
			fmt.Fprintf(table, "  in the long run\t%s\t%s\t%s\t\t\n", edgeOf(long[0]), edgeOf(long[1]),
				differenceOf(long[0], long[1]))
		}
	}
	return table.Flush()
}

// longRuns are wagers with the edge that they have in the long run; nil for one without.
func longRuns(list ...*Wager) (long [2]*Wager) {
	for i, w := range list {
		if w != nil && w.LongRun != nil {
			long[i] = &Wager{Edge: *w.LongRun}
		}
	}
	return long
}

func bothNames(a, b *Sheet) (names []string) {
	for _, w := range a.Wagers {
		names = append(names, w.Name)
	}
	for _, w := range b.Wagers {
		if a.Wager(w.Name) == nil {
			names = append(names, w.Name)
		}
	}
	return names
}

func edgeOf(w *Wager) string {
	if w == nil {
		return "–"
	}
	return percentText(w.Edge)
}

func varianceOf(w *Wager) string {
	if w == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", w.Variance)
}

func differenceOf(a, b *Wager) string {
	if a == nil || b == nil {
		return ""
	}
	return fmt.Sprintf("%+.3f %%", 100*(b.Edge-a.Edge))
}
