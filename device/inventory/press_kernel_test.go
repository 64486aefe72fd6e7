//go:build gpiosim

package inventory_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/testkit/board/guest"
)

// TestPressOnKernel: a press is found on a line of a real kernel, among others that are free, and the lines are free
// again after it.
func TestPressOnKernel(t *testing.T) {
	chip, err := guest.UsualKernel.New("header", "sim-header", []string{"GPIO5", "GPIO6", "GPIO17", "GPIO13"},
		guest.Held{Line: 3, By: "onewire@0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chip.Close(); err != nil {
			t.Error(err)
		}
	})
	free := func() []string {
		system := inventory.System()
		m, err := inventory.Read(system, system.Current(), false)
		if err != nil {
			t.Fatal(err)
		}
		return inventory.LinesForKeys(m.GPIO, nil)
	}
	want := []string{"GPIO5", "GPIO6"}
	if got := free(); !slices.Equal(got, want) {
		t.Fatalf("%v are free, not %v", got, want)
	}
	var hand sync.WaitGroup
	for key, name := range want {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		got, err := inventory.AwaitPress(ctx, want, func(names []string) (inventory.KeyBank, error) {
			bank, err := inventory.OpenKeys(names)
			hand.Go(func() { // whoever presses does so again until it is seen
				for ctx.Err() == nil {
					for _, up := range []bool{false, true} {
						if chip.Pull(key, up) != nil {
							return
						}
						time.Sleep(200 * time.Millisecond) // the kernel's chips keep the kernel's time
					}
				}
			})
			return bank, err
		})
		cancel()
		hand.Wait()
		if got != name || err != nil {
			t.Errorf("%s is pressed, and it says %q, %v", name, got, err)
		}
		if now := free(); !slices.Equal(now, want) {
			t.Errorf("afterwards %v are free", now)
		}
	}
}
