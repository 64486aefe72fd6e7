package publish

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// TestRequests: what a request brings, of 50000 events that were published, while others wait.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		waits   []span
		request string
		want    []span // that wait then
	}{
		{nil, `{"from":5,"to":9}`, []span{{5, 9}}},
		{nil, `{"from":5,"to":5}`, []span{{5, 5}}},
		{nil, `{"from":49990}`, []span{{49990, 50000}}},
		{nil, `{"from":49990,"to":60000}`, []span{{49990, 50000}}},
		{nil, `{"from":1}`, []span{{1, 10000}}},
		{nil, `{"from":50001}`, nil},
		{nil, `{"from":18446744073709551615}`, nil},
		{nil, `{"from":0,"to":9}`, nil},
		{nil, `{"to":9}`, nil},
		{nil, `{"from":9,"to":5}`, nil},
		{nil, `{"from":"5"}`, nil},
		{nil, ``, nil},
		{[]span{{5, 9}}, `{"from":5,"to":9}`, []span{{5, 9}}},
		{[]span{{5, 9}}, `{"from":6,"to":7}`, []span{{5, 9}}},
		{[]span{{5, 9}}, `{"from":3,"to":7}`, []span{{5, 9}, {3, 4}}},
		{[]span{{5, 9}}, `{"from":7,"to":12}`, []span{{5, 9}, {10, 12}}},
		{[]span{{5, 9}}, `{"from":1,"to":5}`, []span{{5, 9}, {1, 4}}},
		{[]span{{1, 9}}, `{"from":1,"to":5}`, []span{{1, 9}}},
		{[]span{{5, 9}, {10, 20}}, `{"from":7,"to":15}`, []span{{5, 9}, {10, 20}}},
	} {
		var log brokertest.Log
		r := repeats{log: log.Logger(), waits: slices.Clone(c.waits)}
		r.request(time.Now(), []byte(c.request), 50000)
		if !slices.Equal(r.waits, c.want) {
			t.Errorf("%s while %v wait: %v, not %v", c.request, c.waits, r.waits, c.want)
		}
	}
}

// TestTooManyRequests: a reader that requests without end is stopped, and told of once a
// minute.
func TestTooManyRequests(t *testing.T) {
	var log brokertest.Log
	r := repeats{log: log.Logger()}
	now := time.Now()
	request := func(n int) { r.request(now, fmt.Appendf(nil, `{"from":%d,"to":%d}`, n, n), 50000) }
	for n := range 100 {
		request(2*n + 1)
	}
	if len(r.waits) != mostSpans || log.Count("level=WARN") != 1 {
		t.Errorf("%d requests wait; the log:\n%s", len(r.waits), log.String())
	}
	for range mostSpans {
		r.sent(r.waits[0].last)
	}
	request(201)
	if len(r.waits) != 0 {
		t.Errorf("after %d requests in a minute another is granted", r.taken)
	}
	now = now.Add(time.Minute)
	request(201)
	if len(r.waits) != 1 || log.Count("level=WARN") != 1 {
		t.Errorf("a minute later %v wait; the log:\n%s", r.waits, log.String())
	}
}
