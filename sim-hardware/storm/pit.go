package storm

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// pit is a reader of the table's events, who follows pit/README.md.
type pit struct {
	events [][]byte // by their numbers, from 1
	twice  int
	faults []string
}

// take takes an event.
func (p *pit) take(payload []byte) {
	var e struct {
		Sequence int `json:"sequence"`
	}
	switch err := json.Unmarshal(payload, &e); {
	case err != nil:
		p.fault("an event cannot be read: %v", err)
	case e.Sequence == len(p.events)+1:
		p.events = append(p.events, payload)
	case e.Sequence > len(p.events):
		p.fault("event %d follows event %d", e.Sequence, len(p.events))
	case e.Sequence < 1:
		p.fault("an event has the number %d", e.Sequence)
	case !bytes.Equal(p.events[e.Sequence-1], payload):
		p.fault("event %d was %s, and then %s", e.Sequence, p.events[e.Sequence-1], payload)
	default:
		p.twice++
	}
}

func (p *pit) fault(what string, args ...any) {
	if len(p.faults) < 5 {
		p.faults = append(p.faults, fmt.Sprintf(what, args...))
	}
}
