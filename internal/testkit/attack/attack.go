// Package attack attacks Sabot's own programs, for tests only: one table's page in every way at once. It counts what
// the attacks came to. All of them stay on loopback and are bounded. "make attack" runs every test whose name begins
// with TestAttack, and shows their counts as one table.
package attack

import "testing"

// Prefix begins the line that Report logs. What follows are the attack's name, its tries, and how many of them got
// through, each after a tab.
const Prefix = "ATTACK\t"

// Report puts on record what an attack came to: how often it was tried, and how often it got what it wanted. The test
// fails if one try got through, and if nothing was tried at all.
func Report(t testing.TB, name string, tries, through int) {
	t.Helper()
	t.Logf("%s%s\t%d\t%d", Prefix, name, tries, through)
	if tries == 0 {
		t.Errorf("%s: nothing was tried", name)
	}
	if through != 0 {
		t.Errorf("%s: %d of %d tries got through", name, through, tries)
	}
}
