package notation_test

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/notation"
)

// TestDecimals: a stake is written, read and said with the decimals of the table's currency.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		digits           int
		text, said, many string
	}{
		{0, "stake 1 a 2000", "a main stake of 2000 by a on box 1", "stake 1 a 2000.0"},
		{2, "stake 1 a 20.00", "a main stake of 20.00 by a on box 1", "stake 1 a 20.000"},
		{3, "stake 1 a 2.000", "a main stake of 2.000 by a on box 1", "stake 1 a 2.0000"},
	} {
		inputs, err := tabletest.ReadInputs(c.text, c.digits)
		if err != nil || len(inputs) != 1 || inputs[0].Amount != 2000 {
			t.Fatalf("%q is read as %+v, %v", c.text, inputs, err)
		}
		if back := string(notation.AppendInputs(nil, inputs, c.digits)); back != c.text {
			t.Errorf("%q is written as %q", c.text, back)
		}
		if said := notation.Digits(c.digits).Input(inputs[0]); said != c.said {
			t.Errorf("%q is said as %q, want %q", c.text, said, c.said)
		}
		if _, err := tabletest.ReadInputs(c.many, c.digits); err == nil {
			t.Errorf("%q has a decimal too many, and is read", c.many)
		}
	}
}
