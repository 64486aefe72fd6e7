package jackpot

import "time"

// Meter is a jackpot as it is committed.
type Meter struct {
	Name, Currency string
	// Seed is the amount at which it starts, and starts again.
	Seed int64
	// Amount is what is in it, and Entry the number of the last entry that is counted in it.
	Amount int64
	Entry  uint64
}

// Shown is what guests may see: what was paid by tables that were alone may have left less than nothing.
func (m *Meter) Shown() int64 { return max(0, m.Amount) }

// Key is a round of a table: the journal, of which a later one has a higher number, and the record that has opened it.
type Key struct {
	Journal int64
	First   uint64
}

// Round is what a round has to do with a jackpot. Its zero value has not been heard of.
type Round struct {
	Key
	Place   int64
	Jackpot string
	// Number is the round's at its table, and Last the last record that is counted.
	Number, Last uint64
	// Hit is the record by which the table asks how much it has won, 0 for none; At is when that was heard, and Winners
	// how many stakes have won.
	Hit     uint64
	At      time.Time
	Winners int
	// Decision is the entry by which the jackpot was given, 0 for none yet, and Given how much this round gets.
	Decision uint64
	Given    int64
	// Charged is what the meter was charged with for the round, and Fed what the round has put into it.
	Charged, Fed int64
	// Ended says that the table has said what the round came to, and Won that somebody has won in it, by the decision
	// By; 0 where the table went on alone.
	Ended, Won bool
	By         uint64
}

// Ungiven says that the table has paid more than it was given, or by a decision that was none for it.
func (r *Round) Ungiven() bool {
	return r.Won && r.By != 0 && (r.By != r.Decision || r.Charged > r.Given)
}

// Kind is what an entry does.
type Kind string

// The kinds of entries.
const (
	// KindSeed: the house puts the seed in, or takes it back after a win that was none.
	KindSeed Kind = "seed"
	// KindFed: a round's stakes have put this in.
	KindFed Kind = "fed"
	// KindGiven: the winners of a round get this.
	KindGiven Kind = "given"
	// KindPutRight: what was paid is not what was given: what did not come out even, what a correction took back, what
	// a table paid alone.
	KindPutRight Kind = "put-right"
)

// Entry is one change of a meter. A record of a journal makes at most one of each kind.
type Entry struct {
	Jackpot string
	Number  uint64
	Kind    Kind
	// Amount is what comes into the meter, below zero what goes out of it, and After what is in it then.
	Amount, After int64
	At            time.Time
	// Place, Journal, Round and Record say of which table's word it follows.
	Key
	Place         int64
	Round, Record uint64
	// Decision is the decision to which a seed belongs, 0 for the first seed, and for that of a table that was alone.
	Decision uint64
}

// Ledger is where a meter is kept. What is done in it between two commits is there as a whole or not at all, and nobody
// else changes the meter meanwhile.
type Ledger interface {
	// Meter locks and reads a meter; it is nil for one that nobody has heard of.
	Meter(name string) (*Meter, error)
	// Begin puts in a meter that nobody has heard of, and says whether somebody else has done so meanwhile.
	Begin(m *Meter) (others bool, err error)
	PutMeter(m *Meter) error
	// Join notes that a table plays for a jackpot.
	Join(place int64, name string) error
	// Round reads a round, nil for one that nobody has heard of.
	Round(of Key) (*Round, error)
	PutRound(r *Round) error
	// Waiting are the rounds of a jackpot that were won, and of which nothing is decided: the oldest first.
	Waiting(name string) ([]*Round, error)
	// Open are the rounds of a table that were won, and of which it has not said what they came to.
	Open(place int64, name string) ([]*Round, error)
	// Decided are the rounds of one decision, and those that say that they were paid by it.
	Decided(name string, decision uint64) ([]*Round, error)
	// SeedOf is what the house has put in for a decision, or for a round of a table that was alone.
	SeedOf(name string, decision uint64, alone Key) (int64, error)
	Add(e *Entry) error
}
