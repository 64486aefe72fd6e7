package disktest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// frame is one or more lines, of which the last ends with a hash.
type frame struct{ text []byte }

const (
	// hashEnd is how many bytes a frame has from its hash's name on, and codeEnd how many its code takes.
	hashEnd = len(`,"hash":""}`) + 2*sha256.Size + 1
	codeEnd = len(`,"code":""`) + 32
)

// framesOf are the frames of a text, as far as it has some.
func framesOf(text []byte) (all []frame) {
	begin := 0
	for end := 0; end < len(text); {
		n := bytes.IndexByte(text[end:], '\n')
		if n < 0 {
			break
		}
		line := text[end : end+n+1]
		end += n + 1
		if bytes.HasPrefix(line, []byte(`{"in":`)) || bytes.HasPrefix(line, []byte(`{"out":`)) {
			continue
		}
		f := frame{text[begin:end]}
		if len(f.text) <= hashEnd || !bytes.HasPrefix(f.text[len(f.text)-hashEnd:], []byte(`,"hash":"`)) {
			break
		}
		all, begin = append(all, f), end
	}
	return all
}

// hash are the digits of a frame's hash.
func (f frame) hash() string {
	at := len(f.text) - hashEnd + len(`,"hash":"`)
	return string(f.text[at : at+2*sha256.Size])
}

// code is the field with a frame's code, "" for none.
func (f frame) code() string {
	text := f.text[:len(f.text)-hashEnd]
	if at := len(text) - codeEnd; at > 0 && bytes.HasPrefix(text[at:], []byte(`,"code":"`)) {
		return string(text[at:])
	}
	return ""
}

// before closes a line, without its hash, that comes right behind the frame.
func (f frame) before(line string) []byte {
	return fmt.Appendf(nil, "%s,\"hash\":\"%x\"}\n", line, sha256.Sum256([]byte(f.hash()+"\"}\n"+line)))
}

// joined are the texts of frames.
func joined(frames []frame) (text []byte) {
	for _, f := range frames {
		text = append(text, f.text...)
	}
	return text
}

// Rechained changes the n-th frame of a text and computes the hashes anew from there on. The codes stay, since nobody
// without the key can make others.
func Rechained(text []byte, n int) []byte {
	frames := framesOf(text)
	again := joined(frames[:n])
	before := frames[max(0, n-1)]
	for k, f := range frames[n:] {
		line := string(f.text[:len(f.text)-hashEnd])
		if k == 0 {
			line = strings.Replace(line, `"at":1`, `"at":2`, 1)
		}
		before = frame{before.before(line)}
		again = append(again, before.text...)
	}
	return again
}

var (
	numbers = regexp.MustCompile(`\n\{"record":(\d+),"event":(\d+),`)
	header  = regexp.MustCompile(`^\{"part":.*?"record":(\d+),"event":(\d+),`)
)

// reaches are the last record and the last event of a part.
func (p part) reaches() (record, event uint64) {
	all := numbers.FindAllSubmatch(p.text, -1)
	if len(all) == 0 {
		all = header.FindAllSubmatch(p.text, 1)
	}
	if len(all) == 0 {
		return 0, 0
	}
	last := all[len(all)-1]
	record, _ = strconv.ParseUint(string(last[1]), 10, 40) // what is no number counts as none
	event, _ = strconv.ParseUint(string(last[2]), 10, 40)
	return record, event
}

// number is that of a part.
func number(name string) uint64 {
	digits := strings.TrimSuffix(strings.TrimPrefix(name, "part-"), ".jsonl")
	n, _ := strconv.ParseUint(digits, 10, 63) // what is no number counts as none
	return n
}

// Line closes a line, without its hash, that comes right behind the last of a part's text.
func Line(part, line string) string {
	frames := framesOf([]byte(part))
	last := frames[len(frames)-1]
	return string(last.before(line + last.code()))
}
