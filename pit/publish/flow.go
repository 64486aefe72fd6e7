package publish

import "time"

// flow is what is under way on a connection, by its lane, and how long the broker has said nothing to it.
type flow struct {
	underway [lanes]int
	patience time.Duration
	silence  *time.Timer // runs while something is under way
}

func newFlow(patience time.Duration) flow {
	f := flow{patience: patience, silence: time.NewTimer(patience)}
	f.silence.Stop()
	return f
}

// sent notes a message that is sent.
func (f *flow) sent(on lane) {
	if f.count() == 0 {
		f.silence.Reset(f.patience)
	}
	f.underway[on]++
}

// settled notes one that the broker has acknowledged.
func (f *flow) settled(on lane) {
	f.underway[on]--
	if f.count() == 0 {
		f.silence.Stop()
	} else {
		f.silence.Reset(f.patience)
	}
}

// on is how many messages of some lanes are under way.
func (f *flow) on(lanes ...lane) (n int) {
	for _, l := range lanes {
		n += f.underway[l]
	}
	return n
}

// count is how many messages are under way.
func (f *flow) count() (n int) {
	for _, on := range f.underway {
		n += on
	}
	return n
}
