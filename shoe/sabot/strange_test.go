package sabot

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// remarked returns what the log gets to read about a remark, "" for none.
func remarked(d *Driver, text string) string {
	sums, _ := d.link.remarks.due(time.Now())
	for _, s := range sums {
		if s.Text == text {
			return s.Last.Error()
		}
	}
	return ""
}

// The log has the bytes of a damaged frame.
func TestDamagedFramesAreShown(t *testing.T) {
	d := New(shoe.Options{})
	d.received([]byte{7, 1, 0x85, 0x11, 0x54, 0x10, 0xC6, 0})
	if got := remarked(d, damaged); !strings.HasSuffix(got, ": 07 01 85 11 54 10 c6 |....T..|") {
		t.Errorf("of a damaged frame the log says %q", got)
	}
	d.received(append(bytes.Repeat([]byte{'a'}, 500), 0))
	d.link.remarks.book.Due(time.Now().Add(time.Hour))
	d.received(append(bytes.Repeat([]byte{'a'}, 500), 0))
	sums := d.link.remarks.book.Due(time.Now().Add(2 * time.Hour))
	for _, s := range sums {
		if len(s.Last.Error()) > 400 {
			t.Errorf("the log gets %d characters: %v", len(s.Last.Error()), s.Last)
		}
	}
	if len(sums) == 0 {
		t.Error("nothing is said of a frame that is too long")
	}
}

// Bytes without a frame are not silence: the reason says so, and what they look like, until a frame comes or the cable
// is pulled. A reopened port does not change it.
func TestBytesWithoutFrames(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLink(shoe.Position{})
	looks := ""
	l.stranger.looksLike = func(*shoe.Sample) string { return looks }
	hear := func(p []byte) {
		l.arrived(now, p, device.Losses{})
		l.unframed()
	}
	silent := func(want string) {
		t.Helper()
		now = now.Add(2 * wire.LinkLostAfter)
		if got := l.silence(now).Error(); got != want {
			t.Errorf("the reason is %q, not %q", got, want)
		}
	}
	text := bytes.Repeat([]byte("<Card:4S>"), 8)
	l.opened(now)
	hear(text[:wire.MaxFrame-1])
	silent(ErrSilent.Error())
	hear(text[wire.MaxFrame-1:])
	silent(ErrGarbage.Error())
	l.closed(now, ErrGarbage)
	l.opened(now)
	silent(ErrGarbage.Error())
	looks = "this looks odd"
	hear(text)
	looks = ""
	hear(text)
	silent(ErrGarbage.Error() + ": this looks odd")
	if !errors.Is(l.silence(now), ErrGarbage) {
		t.Error("it is another reason")
	}
	l.closed(now, &device.Error{Op: "read", Err: device.ErrGone})
	l.opened(now)
	silent(ErrSilent.Error())
	looks = "this looks odd"
	hear(text)
	silent(ErrGarbage.Error() + ": this looks odd")
	l.receive(now, wire.Message{Type: wire.Hello, Boot: 7, First: 1}, nil)
	silent(ErrSilent.Error())

	// Intact frames that this side refuses are no garbage.
	for range 10 {
		hear(text[:wire.MaxFrame-1])
		l.receive(now, wire.Message{}, &wire.VersionError{Got: 9, Want: 2})
	}
	if l.garbage || l.stranger.guess != "" {
		t.Error("frames of another version count as garbage")
	}
}
