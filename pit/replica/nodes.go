package replica

import (
	"context"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// join has this pit take its part of the tables, and returns what gives it back once nothing is kept any more.
func (e *Ear) join(ctx context.Context) (leave func()) {
	if e.options.Nodes == nil {
		return func() {}
	}
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	all.Go(func() { e.options.Nodes.Run(ctx, others{e}) })
	return func() {
		stop()
		all.Wait()
	}
}

// others hears what other nodes do.
type others struct{ *Ear }

// Moved begins to ask the tables that this node keeps from now on.
func (o others) Moved() {
	o.change(func() { o.asks.moved() })
	o.floor.Moved()
	ring(o.words)
}

// Alerts shows alerts as other nodes have kept them.
func (o others) Alerts(list []floor.Alert) { o.floor.Adopt(list) }

// Words notes what people have said at other nodes.
func (o others) Words(list []floor.Word) {
	own := o.floor.Heed(list)
	if len(own) == 0 {
		return
	}
	o.mu.Lock()
	o.heeded = append(o.heeded, own...)
	o.mu.Unlock()
	ring(o.words)
}

// Database shows on the pages that the database cannot be used.
func (o others) Database(err error) {
	if err != nil {
		o.storeFails(topic.Table{}, err)
		return
	}
	o.change(func() { o.asks.paused = time.Time{} })
	o.storeWorks()
	ring(o.work)
	ring(o.words)
}

// reached says whether what this node has of alerts may be kept: while it has no session, another one may answer.
func (e *Ear) reached() bool { return e.options.Nodes == nil || e.options.Nodes.Live() }

// say passes on what people have said here, and forgets what is kept.
func (e *Ear) say(ctx context.Context) error {
	if e.options.Nodes == nil || !e.reached() {
		return nil
	}
	if e.unsaid = append(e.unsaid, e.floor.Unsaid()...); len(e.unsaid) > 0 {
		if err := e.options.Nodes.Say(ctx, e.unsaid); err != nil {
			return err
		}
		e.unsaid = nil
	}
	e.mu.Lock()
	heard := e.heeded
	e.heeded = nil
	e.mu.Unlock()
	if len(heard) == 0 {
		return nil
	}
	return e.options.Nodes.Heard(ctx, heard) // those that fail come again
}
