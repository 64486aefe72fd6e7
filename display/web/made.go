package web

import (
	"strings"

	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// made is what the models of a drawing are cut from: their short lists, and what their keys put in. A card's redraw
// takes 194 allocations with it, and 239 without; all screens of a table wait for that.
type made struct {
	hands  slab[handModel]
	rows   slab[rowModel]
	groups slab[groupModel]
	keys   slab[keyModel]
	joins  slab[forModel]
	text   strings.Builder
	line   []byte
}

// slab is a long list that short ones are cut from, so that a drawing has to make few.
type slab[T any] []T

// take cuts off a list of so many.
func (s *slab[T]) take(n int) []T {
	if len(*s) < n {
		*s = make([]T, max(n, 32))
	}
	list := (*s)[:n:n]
	*s = (*s)[n:]
	return list
}

// put writes inputs as the page sends them back, "" for none.
func (m *made) put(inputs ...vocab.Input) string {
	if len(inputs) == 0 {
		return ""
	}
	if m.text.Cap() == 0 {
		m.text.Grow(4 << 10)
	}
	from := m.text.Len()
	between := byte('[')
	for i := range inputs {
		m.text.WriteByte(between)
		between = ','
		m.line = transcript.AppendInput(m.line[:0], &inputs[i])
		m.text.Write(m.line)
	}
	m.text.WriteByte(']')
	return m.text.String()[from:]
}
