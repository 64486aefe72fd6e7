package replica

import "sync"

// inbox keeps the newest message of each topic until it is taken, so that the pit shows the newest also where
// tables say more than it can take. A table has two such topics, and there are so many tables.
type inbox struct {
	mu     sync.Mutex
	newest map[string][]byte
	order  []string
	ready  chan struct{} // holds one
}

type message struct {
	topic   string
	payload []byte
}

func newInbox() *inbox { return &inbox{newest: map[string][]byte{}, ready: make(chan struct{}, 1)} }

func (b *inbox) putMessage(topic string, payload []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, waits := b.newest[topic]; !waits {
		b.order = append(b.order, topic)
	}
	b.newest[topic] = payload
	ring(b.ready)
}

// takeMessages empties the inbox, in the order in which topics were heard first.
func (b *inbox) takeMessages() (list []message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, topic := range b.order {
		list = append(list, message{topic, b.newest[topic]})
	}
	clear(b.newest)
	b.order = b.order[:0]
	return list
}
