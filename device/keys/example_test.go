package keys_test

import (
	"fmt"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// A button's contact bounces when it closes; it is pressed once. Held long enough, it is
// pressed for its second function.
func Example() {
	const ms = time.Millisecond
	f := keys.New(keys.Settings{
		Contacts: []keys.Contact{{Long: true}, {}},
		Debounce: keys.UsualDebounce, Long: keys.UsualLong, Window: keys.UsualWindow, Stuck: keys.UsualStuck,
	})
	tell := func(events []keys.Event) {
		for _, e := range events {
			fmt.Println(e.At, "key", e.Key, e.Kind)
		}
	}

	for _, e := range []keys.Edge{
		{Key: 1, Closed: true, At: 100 * ms}, // it bounces
		{Key: 1, Closed: false, At: 101 * ms},
		{Key: 1, Closed: true, At: 103 * ms},
		{Key: 1, Closed: false, At: 250 * ms},
		{Key: 0, Closed: true, At: 1000 * ms},
		{Key: 0, Closed: false, At: 2000 * ms},
	} {
		tell(f.Edge(e))
	}
	tell(f.Advance(3000 * ms))

	// Output:
	// 100ms key 1 short
	// 1.7s key 0 long
}
