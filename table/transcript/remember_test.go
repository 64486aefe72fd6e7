package transcript

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/table/profile"
)

// TestRememberTimeElsewhere: a line that has its time in an unusual place is known again
// with its time.
func TestRememberTimeElsewhere(t *testing.T) {
	p := NewParser(profile.Built())
	p.Remember()
	for range 2 {
		in, err := p.Parse([]byte(`{"in":"note","code":"x","t":"1970-01-01T02:00:00Z"}`), 1)
		if err != nil || in.Time != int64(2*time.Hour) {
			t.Errorf("the time is %d, %v", in.Time, err)
		}
	}
}

// TestRemember: what is known again is what the parser would read, whatever the time is
// and however it is written, and what is wrong stays wrong.
func TestRemember(t *testing.T) {
	lines := []func(at string) string{
		func(at string) string { return `{"in":"open","t":"` + at + `"}` },
		func(at string) string { return `{"in":"card","t":"` + at + `","card":"TH"}` },
		func(at string) string { return `{"in":"card","t":"` + at + `","card":"AS"}` },
		func(at string) string { return `{"in":"card","t":"` + at + `","card":"XX"}` },
		func(at string) string { return `{"in":"call","t":"` + at + `","call":"double","bettors":["a","b"]}` },
		func(at string) string {
			return `{"in":"stake","t":"` + at + `","box":3,"bettor":"a","wager":"main","amount":2000}`
		},
		func(at string) string { return `{"t":"` + at + `","in":"open"}` },
		func(string) string { return `{"in":"undo"}` },
		func(at string) string { return `{"in":"resolve","with":"burn","t":"` + at + `","by":"s,1"}` },
		func(at string) string { return `{"in":"note","t":"` + at + `","code":"x","t":"` + at + `"}` },
		func(at string) string { return `{"in":"setup","t":"` + at + `","house":"baden"}` },
	}
	layouts := []string{
		time.RFC3339Nano, time.RFC3339, "2006-01-02T15:04:05.000000000Z07:00", "2006-01-02 15:04:05Z",
		"2006-01-02T15:04:05.0000000000Z", "15:04",
	}
	rapid.Check(t, func(t *rapid.T) {
		p := NewParser(profile.Built())
		p.Remember()
		for number := uint64(1); number < 40; number++ {
			at := time.Unix(0, rapid.Int64Range(-86400e9, 7.6e18).Draw(t, "at")).UTC()
			at = at.Truncate(rapid.SampledFrom([]time.Duration{
				1, time.Millisecond, time.Second,
				24 * time.Hour,
			}).Draw(t, "coarse"))
			if zone := rapid.IntRange(-3, 3).Draw(t, "zone"); zone > 0 {
				at = at.In(time.FixedZone("", zone*3600))
			}
			line := []byte(rapid.SampledFrom(lines).Draw(t,
				"line")(at.Format(rapid.SampledFrom(layouts).Draw(t, "layout"))))
			got, err := p.Parse(line, number)
			want, wantErr := NewParser(profile.Built()).Parse(line, number)
			if !reflect.DeepEqual(err, wantErr) || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s is read as %+v, %v, not %+v, %v", line, got, err, want, wantErr)
			}
		}
	})
}
