package replica

import (
	"sync"

	"github.com/sabot-table/sabot/pit/topic"
)

const (
	// mostUnread is how many messages wait, of different topics: 1000 tables have fewer.
	mostUnread = 50_000
	// mostUnreadBytes is how many bytes they have: the state of 1000 tables has fewer.
	mostUnreadBytes = 64 << 20
	// mostOfTable is how many of them one table has: its topics, and one for each kind of alert.
	mostOfTable = 256
)

// inbox keeps the newest message of each topic until it is taken, so that the pit shows the newest also where
// tables say more than it can take.
type inbox struct {
	mu     sync.Mutex
	newest map[string][]byte
	order  []string
	of     map[topic.Table]int
	bytes  int
	lost   int
	ready  chan struct{} // holds one
}

type message struct {
	topic   string
	payload []byte
}

func newInbox() *inbox {
	return &inbox{newest: map[string][]byte{}, of: map[topic.Table]int{}, ready: make(chan struct{}, 1)}
}

func (b *inbox) putMessage(table topic.Table, topic string, payload []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	had, waits := b.newest[topic]
	bytes := b.bytes + len(payload) - len(had)
	if !waits && (len(b.order) >= mostUnread || b.of[table] >= mostOfTable) || bytes > mostUnreadBytes {
		b.lost++
		return
	}
	b.bytes = bytes
	if !waits {
		b.order = append(b.order, topic)
		b.of[table]++
	}
	b.newest[topic] = payload
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// takeMessages empties the inbox, in the order in which topics were heard first, and says how many messages it had no
// room for.
func (b *inbox) takeMessages() (list []message, lost int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, topic := range b.order {
		list = append(list, message{topic, b.newest[topic]})
	}
	lost = b.lost
	clear(b.newest)
	clear(b.of)
	b.order, b.bytes, b.lost = b.order[:0], 0, 0
	return list, lost
}
