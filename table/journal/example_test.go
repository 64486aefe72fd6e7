package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/table/journal"
)

// What was put in is appended, with what was answered; when Append returns, it is
// durable. Anybody can check the whole chain, and read it back.
func Example() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "table-7")

	j, err := journal.Open(path, journal.Options{Program: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = j.Append([]journal.Entry{
		{
			At: 1_790_000_000_000_000_000, Input: []byte(`{"in":"open"}`),
			Outputs: []byte("{\"out\":\"opened\",\"round\":1}\n"), Round: 1,
		},
		{
			At: 1_790_000_001_000_000_000, Input: []byte(`{"in":"close"}`),
			Outputs: []byte("{\"out\":\"rejected\",\"reason\":\"no-stakes\"}\n"), Round: 1,
		},
	})
	fmt.Println("appended:", err)
	fmt.Println("closed:", j.Close())

	r, err := journal.OpenReadOnly(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	fmt.Println("checked:", r.Verify(context.Background(), nil))
	for record, err := range r.Records(1) {
		fmt.Printf("%d %s %v\n", record.Seq, record.Input, err)
	}
	events, err := r.Events(1, 10)
	fmt.Printf("after event 1: %d %s %v\n", events[0].Number, events[0].Line, err)

	// Output:
	// appended: <nil>
	// closed: <nil>
	// checked: <nil>
	// 1 {"in":"open"} <nil>
	// 2 {"in":"close"} <nil>
	// after event 1: 2 {"out":"rejected","reason":"no-stakes"} <nil>
}
