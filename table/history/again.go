package history

import (
	"strconv"
	"strings"
	"time"
)

// A note of the same is written once, and what follows in the next while as one note more: "screen-refused wrong-key
// 10.0.0.7 again 384 2026-11-23T08:12:01Z 2026-11-23T08:12:14Z" are 384 more, and when the first and the last of these
// were.

const again = " again "

// NoteAgain is the code of a note that says how often another one's happened after it, and when first and last.
func NoteAgain(code string, times int, first, last time.Time) string {
	at := func(t time.Time) string { return " " + t.UTC().Format(time.RFC3339) }
	return code + again + strconv.Itoa(times) + at(first) + at(last)
}

// NotedAgain returns the code of a note that NoteAgain made another of, and how often it happened; any other code is
// returned as it is, with 0.
func NotedAgain(code string) (of string, times int) {
	at := strings.LastIndex(code, again)
	if at < 0 {
		return code, 0
	}
	more := strings.Fields(code[at+len(again):])
	if len(more) != 3 {
		return code, 0
	}
	times, err := strconv.Atoi(more[0])
	if err != nil || times < 1 {
		return code, 0
	}
	return code[:at], times
}
