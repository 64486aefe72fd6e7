package tabletest

import "testing"

// TestBalance: a tray that balances does, and none does of which a line is missing, twice or changed.
func TestBalance(t *testing.T) {
	lines := []string{
		`{"out":"count","event":"opening","amount":5000}`,
		`{"out":"tray","in":"fill","event":"sent","amount":700,"tray":5000}`,
		`{"out":"tray","in":"fill","event":"received","amount":700,"tray":5700}`,
		`{"out":"tray","in":"credit","event":"sent","amount":300,"tray":5400}`,
		`{"out":"tray","in":"buy-in","amount":100,"tray":5300}`,
		`{"out":"tray","in":"tips","amount":20,"tray":5320}`,
		`{"out":"tray","in":"change","amount":500,"tray":5320}`,
		`{"out":"count","event":"closing","amount":5260,"tray":5270,"difference":-10}`,
	}
	read := func(list ...string) (all TrayLines) {
		for _, text := range append(list, `{"out":"dealt","card":"TS"}`) {
			if err := all.Add([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	if err := read(lines...).Balance(-50); err != nil {
		t.Error(err)
	}
	for what, wrong := range map[string]TrayLines{
		"a fill is missing": read(append(append([]string{}, lines[:2]...), lines[3:]...)...),
		"a fill is twice":   read(append(append([]string{}, lines[:3]...), lines[2:]...)...),
		"no difference told": read(append(append([]string{}, lines[:7]...),
			`{"out":"count","event":"closing","amount":5260,"tray":5270}`)...),
		"no count": read(lines[1:7]...),
	} {
		if wrong.Balance(-50) == nil {
			t.Errorf("%s, and it balances", what)
		}
	}
	if read(lines...).Balance(-49) == nil {
		t.Error("the rounds brought another amount, and it balances")
	}
}
