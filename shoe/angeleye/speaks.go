package angeleye

import "github.com/sabot-table/sabot/shoe"

// Speaks says whether bytes are mostly intact reports of known kinds, and of two different ones: the check is so short
// that one in garbage may pass it, and comes again if the garbage does.
func Speaks(p []byte) bool {
	d := &Decoder{}
	d.Feed(0, p, func(shoe.Event) {})
	return d.Count.Messages-d.Count.Repeated-d.Count.Unknown >= 2 && d.Count.Dropped < uint64(len(p)/2)
}
