package system_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestInstall: a copied program starts, whatever other tests start at the same time.
func TestInstall(t *testing.T) {
	defer startOthers(t)()
	for i := range 100 {
		path := filepath.Join(t.TempDir(), fmt.Sprint("copy-", i))
		system.Install(t, program, path)
		if err := exec.Command(path).Run(); err != nil {
			t.Errorf("copy %d: %v", i, err)
		}
	}
}

const program = "/bin/true"

// startOthers starts programs all the time, until it is told to end.
func startOthers(t *testing.T) (end func()) {
	others, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for others.Err() == nil {
				if err := exec.Command(program).Run(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	return func() {
		cancel()
		running.Wait()
	}
}
