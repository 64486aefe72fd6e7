package topic

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// timeLayout is RFC 3339 with all nine digits, so that times sort as text.
const timeLayout = "2006-01-02T15:04:05.000000000Z07:00"

// object appends one JSON object to a buffer, field by field.
type object struct {
	b []byte
}

func begin(dst []byte) object { return object{append(dst, '{')} }

func (o *object) end() []byte { return append(o.b, '}') }

// separate makes room for the next field.
func (o *object) separate() {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
}

// key appends a field's name, which needs no escaping.
func (o *object) key(name string) {
	o.separate()
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

// plain appends text that needs no escaping.
func (o *object) plain(name string, value []byte) {
	o.key(name)
	o.b = append(o.b, '"')
	o.b = append(o.b, value...)
	o.b = append(o.b, '"')
}

// text appends any text. Bytes that are no UTF-8 become U+FFFD: a message with a
// damaged word is better than none.
func (o *object) text(name, value string) {
	o.key(name)
	o.b, _ = jsontext.AppendQuote(o.b, value)
}

func (o *object) number(name string, value uint64) {
	o.key(name)
	o.b = strconv.AppendUint(o.b, value, 10)
}

// count appends a number whose name comes from elsewhere.
func (o *object) count(name string, value uint64) {
	o.separate()
	o.b, _ = jsontext.AppendQuote(o.b, name)
	o.b = append(o.b, ':')
	o.b = strconv.AppendUint(o.b, value, 10)
}

func (o *object) flag(name string, value bool) {
	o.key(name)
	o.b = strconv.AppendBool(o.b, value)
}

func (o *object) time(name string, value time.Time) {
	o.key(name)
	o.b = append(o.b, '"')
	o.b = value.UTC().AppendFormat(o.b, timeLayout)
	o.b = append(o.b, '"')
}

// raw appends a value that is JSON already.
func (o *object) raw(name string, value []byte) {
	o.key(name)
	o.b = append(o.b, value...)
}

// nested appends an object that fill writes.
func (o *object) nested(name string, fill func(*object)) {
	o.key(name)
	inner := begin(o.b)
	fill(&inner)
	o.b = inner.end()
}
