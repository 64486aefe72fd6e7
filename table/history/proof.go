package history

import "time"

// Proof is a round's place in the journal: whoever has the journal, or a copy of it, finds the
// same there.
type Proof struct {
	// Journal is the journal's id.
	Journal string `json:"journal"`
	// First and Last are the round's first and last record, the zero Mark where there is none.
	First Mark `json:"first"`
	Last  Mark `json:"last"`
	// Seal is the first seal that confirms all of it, nil where there is none yet.
	Seal *Seal `json:"seal,omitempty"`
}

// Mark is a record's number, and its hash in hexadecimal, which covers it and everything
// before it.
type Mark struct {
	Seq  uint64 `json:"record"`
	Hash string `json:"hash"`
}

// Seal is a signature of everything up to a record.
type Seal struct {
	Seq uint64 `json:"record"`
	// Hash is what is signed: that of the frame right before the seal.
	Hash string    `json:"hash"`
	At   time.Time `json:"at"`
	// Key is the public key, as its line for the auditor, and Signature in hexadecimal.
	Key       string `json:"key"`
	Signature string `json:"signature"`
	// Valid says that the key has signed this. Whether the key is the table's, the auditor knows.
	Valid bool `json:"valid"`
}

// In is the proof with the time of its seal as the clock of a zone tells it.
func (p Proof) In(zone *time.Location) Proof {
	if p.Seal != nil {
		seal := *p.Seal
		seal.At = seal.At.In(zone)
		p.Seal = &seal
	}
	return p
}
