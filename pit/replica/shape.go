package replica

import (
	"fmt"

	"github.com/sabot-table/sabot/pit/topic"
)

// longestOf is how long a table's messages are at the most, far more than any that a table's program writes. Records
// are bounded by the line, and by the room for those that wait.
var longestOf = map[topic.Kind]int{
	topic.KindStatus: 16 << 10, topic.KindHealth: 64 << 10, topic.KindAnswer: 16 << 10,
}

// fits refuses what is longer than any message of its kind.
func fits(kind topic.Kind, payload []byte) error {
	if most, told := longestOf[kind]; told && len(payload) > most {
		return fmt.Errorf("a message of the kind %s has %d bytes, and %d at the most: look at who may write to the "+
			"tables' topics", kind, len(payload), most)
	}
	return nil
}
