package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// attacks runs every test of the packages whose name begins with TestAttack, of those with attacks if none is named,
// and shows what each attack came to as one table. An attack that got through, or a test that failed, is an error.
func attacks(packages []string) error {
	if len(packages) == 0 {
		var err error
		if packages, err = attacked("."); err != nil {
			return err
		}
	}
	test := exec.Command("go", slices.Concat([]string{
		"test", "-json", "-count=1", "-timeout=30m",
		"-run=^TestAttack[A-Z]",
	}, packages)...)
	test.Stderr = os.Stderr
	test.Env = append(os.Environ(), tier.Variable+"=soak") // all attacks, each in its full number
	events, err := test.StdoutPipe()
	if err != nil {
		return err
	}
	if err := test.Start(); err != nil {
		return err
	}
	counts, failures, err := read(events)
	ended := test.Wait()
	if err != nil {
		return err
	}
	if err := write(os.Stdout, counts); err != nil {
		return err
	}
	for _, one := range failures {
		fmt.Fprint(os.Stderr, one)
	}
	if ended != nil {
		return fmt.Errorf("the attacks did not end well, see above: %w", ended)
	}
	if len(counts) == 0 {
		return fmt.Errorf("nothing was attacked in %v", packages)
	}
	return nil
}
