package command

import (
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/pit/topic"
)

// maxAnswer is the longest answer that is read, in bytes.
const maxAnswer = 4096

// ParseAnswer reads what a table says of a command. Fields that it does not know it passes over.
func ParseAnswer(payload []byte) (topic.Answer, error) {
	var a topic.Answer
	if len(payload) > maxAnswer {
		return a, fmt.Errorf("the answer has %d bytes, more than %d", len(payload), maxAnswer)
	}
	if err := json.Unmarshal(payload, &a); err != nil {
		return topic.Answer{}, fmt.Errorf("the answer to a command: %w", err)
	}
	if _, known := ParseState(a.State); !known {
		return topic.Answer{}, fmt.Errorf("the answer to a command says %q, which is not a state", a.State)
	}
	return a, checkHex("id", a.ID)
}

// became is what an answer says.
func became(a topic.Answer) Became {
	state, _ := ParseState(a.State)
	return Became{State: state, Record: a.Record, Reason: a.Reason}
}
