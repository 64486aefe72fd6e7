package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/table/authority"
)

// siegeRounds are dealt under attack.
var siegeRounds = tier.Times[uint64](3, 12)

const (
	// siegeMemory is what the table's program may hold at most under attack, in KiB: less than its unit has. Quiet, it
	// holds about 30 MiB, and the check of a PIN takes 46 MiB, twice until the last ones are free.
	siegeMemory = 192 << 10
	// siegeJournal is how much the attackers may add to the journal, in bytes.
	siegeJournal = 64 << 10
)

// TestAttackAllAtOnce deals rounds at a table that is attacked in every way at once: from its network, over its broker,
// by a screen on the wall and at the PIN pad. The rounds are dealt and paid, nothing gets through, and neither the
// program's memory nor the journal grows beyond their bounds.
func TestAttackAllAtOnce(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	tier.Landing(t, "the attackers take all of the machine")
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	desk, _ := n.commands()
	// A PIN as sabot key pin makes it: what one costs in memory counts.
	n.supervisors = fmt.Sprintf("{names: [{name: anna, pin: %q}], lock_out: 1h, lock_out_most: 1h}",
		authority.NewPIN("opensesame"))
	n.environment = append(n.environment, "GOMEMLIMIT=192MiB") // as the unit has it
	n.keys["view-beside"] = web.NewKey()
	n.may("view", "view-beside", "dealer", "supervisor")
	process := n.start()
	dealer := n.enter(n.keys["dealer"], http.StatusOK)
	target := attack.Target{
		Address: strings.TrimPrefix(n.url, "https://"), URL: n.url,
		TLS:  dealer.Transport.(*http.Transport).TLSClientConfig.Clone(),
		View: n.enter(n.keys["view"], http.StatusOK), Supervisor: n.enter(n.keys["supervisor"], http.StatusOK),
		Least: tier.Times(20, 100),
	}
	beside := term.FollowOptions{Key: n.keys["view-beside"].String(), TLS: target.TLS.Clone()}
	target.TLS.NextProtos = nil // the half requests are those of HTTP/1.1

	ctx, lift := context.WithCancel(t.Context())
	defer lift()
	came, flooded := make(chan []attack.Result, 1), make(chan uint64, 1)
	go func() { came <- target.Lay(ctx) }()
	go func() {
		flooded <- desk.flood(desk.bad(desk.seal(desk.key, "bruno", func(*command.Command) {})), 1000, ctx.Done())
	}()
	told := n.dealBy(n.lookAt(processes.NewRemoteBy(dealer, n.url+"/", beside)), siegeRounds).finish()
	lift()
	results := processes.Take(t, "the end of the siege", came)
	results = append(results, attack.Result{
		Name:  "forged commands over the broker",
		Tries: int(processes.Take(t, "the end of the flood", flooded)), Through: n.taken(),
	})

	if held := process.Peak(); held > siegeMemory*raceMemory {
		t.Errorf("under attack the program held %d KiB, more than %d", held, siegeMemory*raceMemory)
	}
	n.stop(process)
	for _, r := range results {
		attack.Report(t, "all at once: "+r.Name, r.Tries, r.Through)
	}
	n.check(told, int(siegeRounds), n.refused()...)
	if written := n.notes(); written > siegeJournal {
		t.Errorf("the attackers wrote %d bytes into the journal, more than %d", written, siegeJournal)
	}
}

// refused is the alert that commands were refused: once at least, and again as long as they come.
func (n *network) refused() []string {
	_, outputs := n.records()
	const code = "command-refused"
	times := strings.Count(strings.Join(irregular(outputs), " "), code)
	return slices.Repeat([]string{code}, max(1, times))
}

// taken counts the commands that the table took.
func (n *network) taken() int {
	inputs, _ := n.records()
	return strings.Count(inputs, `{"in":"message"`) + strings.Count(inputs, `{"in":"table"`)
}

// notes is how much of the journal neither the dealer nor the shoe put in, in bytes.
func (n *network) notes() (size int) {
	inputs, _ := n.records()
	for line := range strings.Lines(inputs) {
		if strings.HasPrefix(line, `{"in":"note"`) || strings.HasPrefix(line, `{"in":"command"`) {
			size += len(line)
		}
	}
	return size
}
