package transcript

import (
	"encoding/binary"
	"slices"
)

const (
	// keptTexts bounds how many texts are kept, and lists of them.
	keptTexts = 4096
	// keptNames bounds the lists that are kept; longer ones nobody plays.
	keptNames = 16
)

// texts keeps one copy of each text, as bettors' names come over and over, and of
// each list of them. What it returns is shared and not to be changed.
type texts struct {
	// recent has the texts that came last at a place that hangs on their bytes.
	recent [256]string
	all    map[string]string
	lists  map[string][]string
	key    []byte
}

// keep returns the text that these bytes are.
func (t *texts) keep(raw []byte) string {
	if len(raw) < 2 {
		return t.find(raw)
	}
	last := len(raw) - 1
	recent := &t.recent[raw[0]*7+raw[last-1]*31+raw[last]]
	if *recent != string(raw) {
		*recent = t.find(raw)
	}
	return *recent
}

func (t *texts) find(raw []byte) string {
	if s, ok := t.all[string(raw)]; ok {
		return s
	}
	if t.all == nil || len(t.all) >= keptTexts {
		t.all = map[string]string{}
	}
	s := string(raw)
	t.all[s] = s
	return s
}

// keepList returns a list of these names, never nil.
func (t *texts) keepList(names []string) []string {
	if len(names) > keptNames {
		return slices.Clone(names)
	}
	t.key = t.key[:0]
	for _, name := range names {
		t.key = binary.AppendUvarint(t.key, uint64(len(name)))
		t.key = append(t.key, name...)
	}
	if list, ok := t.lists[string(t.key)]; ok {
		return list
	}
	if t.lists == nil || len(t.lists) >= keptTexts {
		t.lists = map[string][]string{}
	}
	list := append([]string{}, names...)
	t.lists[string(t.key)] = list
	return list
}
