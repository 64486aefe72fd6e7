package runner_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

var errRevoked = errors.New("the screen's session is over")

// TestAttackHeldInputs: stakes wait while the journal hangs, and their senders' sessions end before it goes on. None of
// them is taken, nor any that is sent afterwards.
func TestAttackHeldInputs(t *testing.T) {
	const held = 24
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		goOn := hang(t, r, m)
		ctx, revoke := context.WithCancelCause(t.Context())
		answers := make(chan error, 2*held)
		send := func() {
			for range held {
				go func() {
					_, err := r.Submit(ctx, stake(1000))
					answers <- err
				}()
			}
			synctest.Wait()
		}
		send()
		revoke(errRevoked)
		send()
		goOn()
		through := strings.Count(strings.Join(m.inputs(), "\n"), "stake")
		for range 2 * held {
			if err := <-answers; !errors.Is(err, errRevoked) {
				t.Errorf("a stake was answered %v", err)
			}
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
		attack.Report(t, "stakes held until their screen was revoked", 2*held, through)
	})
}

// TestSenderGoesAtTheTurn: one whose context ends while another input of the same batch is put in is too late, and the
// rest of the batch is on record.
func TestSenderGoesAtTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		goOn := hang(t, r, m)
		ctx, revoke := context.WithCancel(t.Context())
		answers := make(chan error, 3)
		submit := func(ctx context.Context, in vocab.Input, still func(*table.Table) bool) {
			go func() {
				_, err := r.SubmitIf(ctx, in, still)
				answers <- err
			}()
			synctest.Wait()
		}
		submit(t.Context(), stake(1000), func(*table.Table) bool {
			revoke()
			return true
		})
		submit(ctx, kind(vocab.InClose), nil)
		submit(t.Context(), stake(2000), nil)
		goOn()
		var late int
		for range 3 {
			if err := <-answers; errors.Is(err, context.Canceled) {
				late++
			} else if err != nil {
				t.Error(err)
			}
		}
		inputs := strings.Join(m.inputs(), "\n")
		if late != 1 || strings.Contains(inputs, "close") || strings.Count(inputs, "stake") != 2 {
			t.Errorf("%d are too late, and the journal has\n%s", late, inputs)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}
