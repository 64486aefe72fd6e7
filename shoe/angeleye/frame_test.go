package angeleye

import "testing"

// TestLongestReportInGarbage: an intact report is found whatever came before it, also the longest after an ENQ that has
// filled the window with it.
func TestLongestReportInGarbage(t *testing.T) {
	sent := report{number: '4', n: dataLimit}
	for i := range sent.data {
		sent.data[i] = 'A' + byte(i%26)
	}
	for before := range 3 {
		var w window
		dropped := 0
		for range before {
			dropped += w.add(enq)
		}
		for _, b := range []byte(sent.frame()) {
			dropped += w.add(b)
		}
		var got report
		if !w.ends() {
			t.Fatalf("%d before: the window does not end with the report", before)
		}
		strays, ok := w.take(&got)
		if !ok || got.number != sent.number || !got.same(&sent) || dropped+strays != before {
			t.Errorf("%d before: %d dropped, %d before it, %v, %+v", before, dropped, strays, ok, got)
		}
	}
}
