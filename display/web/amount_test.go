package web

import "testing"

func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		text   string
		digits int
		want   amountModel
	}{
		{"+110.00", 2, amountModel{Text: "+110", Nil: ".00"}},
		{"1.000,00", 2, amountModel{Text: "1.000", Nil: ",00"}},
		{"12.50", 2, amountModel{Text: "12.50"}},
		{"+1:1 ×2", 2, amountModel{Text: "+1:1 ×2"}},
		{"1000", 0, amountModel{Text: "1000"}},
		{"1000", 2, amountModel{Text: "1000"}},
		{"●", 2, amountModel{Text: "●"}},
		{"", 2, amountModel{}},
		{"Pay 40.00", 2, amountModel{Before: "Pay ", Text: "40", Nil: ".00"}},
		{"Zahlen 1.073,50", 2, amountModel{Before: "Zahlen ", Text: "1.073,50"}},
		{"Pay by odds", 2, amountModel{Text: "Pay by odds", Words: true}},
	} {
		if got := written(tt.text, tt.digits); got != tt.want {
			t.Errorf("written(%q, %d) = %+v, want %+v", tt.text, tt.digits, got, tt.want)
		}
	}
}
