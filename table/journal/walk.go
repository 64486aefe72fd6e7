package journal

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/sabot-table/sabot/internal/sqlitefile"
)

// sealColumns are the columns of a seal, in their order.
const sealColumns = `seq, hash, at, key, signature`

// Step is one step of a walk: a record, or what stands in the place of records.
type Step struct {
	// Record is nil where a record is missing or cannot be read, and at the end.
	Record *Record
	// Seal is the seal behind the record, nil for none.
	Seal *Seal
	// Fault says how the record is not what was written, nil for nothing. It is a
	// *BrokenError.
	Fault error
}

// Walk reads all records from the first on, checks each, and hands it to visit,
// together with its seal. It goes on behind a fault, taking the record at its word, so
// that every fault is told once. Behind the last record it checks that the end is
// where boots, seals and cursors say. A seal must be under its record's hash; whether
// its signature is valid is left to the caller. See Verify for what can be found so.
//
// Walk sees the journal as it is at the beginning, and reads many times faster than
// Records. While it lasts a table can write, but its write-ahead log grows. What is
// handed to visit is overwritten after it returns; an error of visit ends the walk.
func (r *Reader) Walk(ctx context.Context, visit func(*Step) error) error {
	return r.fault("read everything", r.follow(ctx, visit))
}

// follow reads and checks on a goroutine of its own, some stretches ahead.
func (r *Reader) follow(ctx context.Context, visit func(*Step) error) (err error) {
	ctx, stop := context.WithCancel(ctx)
	w, err := r.newWalker(ctx)
	if err != nil {
		stop()
		return err
	}
	ahead := make(chan *stretch, stretches)
	free := make(chan *stretch, stretches)
	for range stretches {
		free <- new(stretch)
	}
	go func() {
		defer close(ahead)
		w.run(ctx, free, ahead)
	}()
	defer func() {
		stop()
		for range ahead { // until the goroutine has ended
		}
		err = errors.Join(err, w.close())
	}()
	for s := range ahead {
		for i := range s.steps {
			if err := visit(&s.steps[i].Step); err != nil {
				return err
			}
		}
		if s.err != nil {
			return s.err
		}
		free <- s
	}
	return ctx.Err()
}

// stretches is how many stretches are read, visited or waiting at once.
const stretches = 4

// stretch is some steps, and the memory that they lie in.
type stretch struct {
	batch sqlitefile.Batch
	steps []step
	err   error // why the walk ends behind them
}

// step is a Step with room for what it points to.
type step struct {
	Step
	record Record
	seal   Seal
	// signed has the seal's key and signature: seals are read on while a step waits.
	signed [96]byte
}

// walker reads and checks.
type walker struct {
	reader  *Reader
	close   func() error
	records *sqlitefile.Walk
	seals   sealWalk
	known   witnesses
	hasher  hasher
	chain   chain
	// lost says that the chain behind the last record is not known, since what
	// stands there is missing or cannot be read.
	lost   bool
	values []sqlitefile.Value
}

func (r *Reader) newWalker(ctx context.Context) (*walker, error) {
	s, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	w := &walker{reader: r, close: s.close, chain: r.start()}
	if w.known, err = witnessesIn(ctx, s.conn); err == nil {
		w.records, err = s.walk(ctx, "record", columns)
	}
	if err == nil {
		w.seals.walk, err = s.walk(ctx, "seal", sealColumns)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return w, nil
}

// run fills stretches until there is no more, or ctx ends.
func (w *walker) run(ctx context.Context, free <-chan *stretch, ahead chan<- *stretch) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-free:
			more := w.fill(s)
			select {
			case <-ctx.Done():
				return
			case ahead <- s:
			}
			if !more {
				return
			}
		}
	}
}

// fill reads a stretch, and says whether there may be more.
func (w *walker) fill(s *stretch) bool {
	s.steps, s.err = s.steps[:0], nil
	err := w.records.Next(&s.batch)
	for _, row := range s.batch.Rows {
		w.take(s, row)
	}
	var page *sqlitefile.PageError
	switch {
	case err == nil:
		return true
	case errors.Is(err, io.EOF):
		w.end(s)
		return false
	case errors.As(err, &page):
		w.gap(s, brokenf(w.chain.seq+1, "cannot be read: %v", err))
		return true
	default:
		s.err = err
		return false
	}
}

// add makes room for a step.
func (s *stretch) add() *step {
	n := len(s.steps)
	if n < cap(s.steps) {
		s.steps = s.steps[:n+1]
	} else {
		s.steps = append(s.steps, step{})
	}
	one := &s.steps[n]
	one.Step = Step{}
	return one
}

// gap tells of records that are not there or cannot be read.
func (w *walker) gap(s *stretch, fault error) {
	s.add().Fault = fault
	w.lost = true
}

// take checks a row.
func (w *walker) take(s *stretch, row sqlitefile.Row) {
	next := w.chain.seq + 1
	switch {
	case row.ID < 1:
		w.gap(s, brokenf(0, "or below is there: one has the number %d, and the first is 1", row.ID))
		return
	case uint64(row.ID) < next:
		w.gap(s, brokenf(uint64(row.ID), "stands behind record %d: the file is damaged", w.chain.seq))
		return
	case uint64(row.ID) > next && !w.lost:
		w.gap(s, missing(next, uint64(row.ID)))
	}
	one := s.add()
	if err := w.decode(&one.record, row); err != nil {
		one.Fault, w.lost = err, true
		w.chain.seq = uint64(row.ID)
		return
	}
	one.Record = &one.record
	if !w.lost {
		one.Fault = w.chain.check(&w.hasher, &one.record)
	}
	w.chain, w.lost = after(&one.record), false
	w.sealed(one)
}

// missing says which records are not there: from next up to the one before found.
func missing(next, found uint64) error {
	if n := found - next - 1; n > 0 {
		return brokenf(next, "is missing, and so are the %d behind it", n)
	}
	return &BrokenError{Seq: next, What: "is missing"}
}

// sealed finds the record's seal.
func (w *walker) sealed(one *step) {
	seal, err := w.seals.at(one.record.Seq, &one.seal)
	switch {
	case err != nil && one.Fault == nil:
		one.Fault = brokenf(one.record.Seq, "has a seal that cannot be read: %v", err)
	case seal == nil:
		return
	case seal.Hash != one.record.Hash && one.Fault == nil:
		one.Fault = &BrokenError{
			Seq:  one.record.Seq,
			What: "has another hash than the one that was sealed: it, or a record before it, was changed after that, and the chain was computed anew",
		}
	}
	key := copy(one.signed[:], seal.Key)
	rest := copy(one.signed[key:], seal.Signature)
	seal.Key, seal.Signature = one.signed[:key:key], one.signed[key:key+rest]
	one.Seal = seal
}

// end checks what stands behind the last record.
func (w *walker) end(s *stretch) {
	if w.lost {
		return // what is there cannot be compared with
	}
	if fault := w.known.check(&w.chain); fault != nil {
		s.add().Fault = fault
	}
}

// decode makes a record of a row.
func (w *walker) decode(r *Record, row sqlitefile.Row) error {
	values, err := row.Columns(w.values)
	w.values = values
	seq := uint64(row.ID)
	if err != nil {
		return brokenf(seq, "cannot be read: %v", err)
	}
	if len(values) != 15 || !kindsOf(values) {
		return brokenf(seq, "has a column of another kind than a record has")
	}
	shoeBoot, shoeSeq := values[4].Int, values[5].Int
	if min(shoeBoot, shoeSeq) < 0 || max(shoeBoot, shoeSeq) > math.MaxUint32 {
		return brokenf(seq, "has an impossible position of the shoe")
	}
	if len(values[14].Bytes) != len(r.Hash) {
		return brokenf(seq, "has no whole hash")
	}
	*r = Record{
		Entry: Entry{
			At: values[2].Int, Round: uint64(values[3].Int), ShoeBoot: uint32(shoeBoot), ShoeSeq: uint32(shoeSeq),
			Rules: values[10].Bytes, Input: values[11].Bytes, Outputs: values[12].Bytes, Carry: values[13].Bytes,
		},
		Seq: seq, Boot: uint64(values[1].Int), FirstEvent: uint64(values[6].Int),
		Setup: uint64(values[7].Int), Shoe: uint64(values[8].Int), Checkpoint: uint64(values[9].Int),
	}
	copy(r.Hash[:], values[14].Bytes)
	return nil
}

// kindsOf says whether the columns are of the kinds that a record has.
func kindsOf(values []sqlitefile.Value) bool {
	for i := 1; i <= 9; i++ {
		if values[i].Kind != sqlitefile.Integer {
			return false
		}
	}
	carry := values[13].Kind
	return values[10].Kind == sqlitefile.Blob && values[11].Kind == sqlitefile.Text && values[12].Kind == sqlitefile.Text &&
		(carry == sqlitefile.Null || carry == sqlitefile.Blob) && values[14].Kind == sqlitefile.Blob
}

// sealWalk goes through the seals beside the records.
type sealWalk struct {
	walk   *sqlitefile.Walk
	batch  sqlitefile.Batch
	next   int // of the batch's rows
	ended  bool
	values []sqlitefile.Value
}

// at finds the seal behind a record, nil for none. It is asked in order.
func (w *sealWalk) at(seq uint64, into *Seal) (*Seal, error) {
	for !w.ended {
		for ; w.next < len(w.batch.Rows); w.next++ {
			switch row := w.batch.Rows[w.next]; {
			case row.ID > int64(seq):
				return nil, nil
			case row.ID == int64(seq):
				w.next++
				return into, w.decode(into, row)
			}
		}
		err := w.walk.Next(&w.batch)
		w.next = 0
		if errors.Is(err, io.EOF) {
			w.ended = true
		} else if err != nil && len(w.batch.Rows) == 0 {
			return nil, err
		}
	}
	return nil, nil
}

func (w *sealWalk) decode(s *Seal, row sqlitefile.Row) error {
	values, err := row.Columns(w.values)
	w.values = values
	switch {
	case err != nil:
		return err
	case len(values) != 5 || len(values[1].Bytes) != len(s.Hash) || values[2].Kind != sqlitefile.Integer:
		return errors.New("it has a column of another kind than a seal has")
	}
	*s = Seal{Seq: uint64(row.ID), At: values[2].Int, Key: values[3].Bytes, Signature: values[4].Bytes}
	copy(s.Hash[:], values[1].Bytes)
	return nil
}
