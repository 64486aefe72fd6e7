package store

import (
	"sync"

	"github.com/sabot-table/sabot/pit/topic"
)

// news tells those who show a table's past when more of it is kept.
type news struct {
	mu    sync.Mutex
	await map[topic.Table]chan struct{}
}

// of is closed when more of a table's records are kept.
func (n *news) of(table topic.Table) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.await[table] == nil {
		if n.await == nil {
			n.await = map[topic.Table]chan struct{}{}
		}
		n.await[table] = make(chan struct{})
	}
	return n.await[table]
}

// tell says that more is kept.
func (n *news) tell(table topic.Table) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if waits := n.await[table]; waits != nil {
		close(waits)
		delete(n.await, table)
	}
}
