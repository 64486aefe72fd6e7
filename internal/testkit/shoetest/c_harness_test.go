package shoetest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// harness is the C program that plays scripts.
type harness struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	errors bytes.Buffer
}

func startHarness(t testing.TB) *harness {
	t.Helper()
	h := &harness{cmd: exec.Command(sanitized(t, "harness"))}
	h.cmd.Stderr = &h.errors
	var errIn, errOut error
	h.in, errIn = h.cmd.StdinPipe()
	h.out, errOut = h.cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, h.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(h.in.Close(), h.cmd.Wait()); err != nil {
			t.Errorf("the harness: %v\n%s", err, h.errors.String())
		}
	})
	return h
}

// play returns the output of a script.
func (h *harness) play(script []byte) ([]byte, error) {
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(script)))
	if _, err := h.in.Write(append(length[:], script...)); err != nil {
		return nil, h.broken(err)
	}
	if _, err := io.ReadFull(h.out, length[:]); err != nil {
		return nil, h.broken(err)
	}
	answer := make([]byte, binary.LittleEndian.Uint32(length[:]))
	_, err := io.ReadFull(h.out, answer)
	return answer, h.broken(err)
}

func (h *harness) broken(err error) error {
	if err == nil {
		return nil
	}
	h.cmd.Wait()
	return fmt.Errorf("the harness broke down: %w\n%s", err, h.errors.String())
}

// shoeSetup is the beginning of a script.
type shoeSetup struct {
	clock  uint32
	boot   uint32
	events int
	caps   wire.Capabilities
	key    *wire.Secret
	seed   uint64
	serial string
}

func (s *shoeSetup) script() []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32(nil, s.clock), s.boot)
	b = append(le.AppendUint16(b, uint16(s.events)), byte(s.caps), 1, 2, 3)
	var key wire.Secret
	if s.key != nil {
		key = *s.key
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = le.AppendUint64(append(b, key[:]...), s.seed)
	return append(append(b, byte(len(s.serial))), s.serial...)
}

// twin is the Go shoe, which does what the script tells the C shoe.
type twin struct {
	now    time.Duration
	core   *shoesim.Core
	script []byte
	want   []byte // what the C shoe must answer
	frames []byte // what the shoe sent with the last step
	sealed uint32 // how many of the shoe's frames its host opened
}

func newTwin(s *shoeSetup) *twin {
	id := shoesim.Identity{Serial: s.serial, Firmware: [3]uint8{1, 2, 3}, Capabilities: s.caps}
	tw := &twin{core: shoesim.NewCore(id, s.boot), script: s.script()}
	tw.core.Keep(s.events)
	if s.key != nil {
		tw.core.Secure(*s.key, s.seed)
	}
	tw.flush(nil)
	return tw
}

// flush removes what is to be sent, and notes the state.
func (tw *twin) flush(in []byte) {
	tw.frames = tw.core.Step(tw.now, in, nil)
	le := binary.LittleEndian
	tw.want = append(le.AppendUint16(tw.want, uint16(len(tw.frames))), tw.frames...)
	session := byte(0)
	if tw.core.InSession() {
		session = 1
	}
	tw.want = append(tw.want, byte(tw.core.Locks()), byte(tw.core.Light()), session)
	tw.want = le.AppendUint32(le.AppendUint16(tw.want, uint16(tw.core.Queued())), tw.core.Last())
	tw.want = le.AppendUint32(tw.want, uint32(max(0, tw.core.Wake()-tw.now).Milliseconds()))
}

func (tw *twin) step(op byte, arguments ...byte) {
	tw.script = append(append(tw.script, op), arguments...)
	tw.flush(nil)
}

func (tw *twin) card(rank wire.Rank, suit wire.Suit, confidence uint8) {
	tw.core.Card(tw.now, rank, suit, confidence)
	tw.step('c', byte(rank), byte(suit), confidence)
}

func (tw *twin) cutCard() {
	tw.core.CutCard(tw.now)
	tw.step('u')
}

func (tw *twin) key(number uint8, down bool) {
	tw.core.Key(tw.now, number, down)
	flag := byte(0)
	if down {
		flag = 1
	}
	tw.step('k', number, flag)
}

func (tw *twin) alarm(code wire.AlarmCode, detail uint16) {
	tw.core.RaiseAlarm(tw.now, code, detail)
	tw.step('a', byte(code), byte(detail), byte(detail>>8))
}

func (tw *twin) alarmOver(code wire.AlarmCode) {
	tw.core.ClearAlarm(tw.now, code, 0)
	tw.step('o', byte(code))
}

func (tw *twin) log(level wire.Level, text string) {
	tw.core.Log(level, text)
	tw.step('g', append([]byte{byte(level), byte(len(text))}, text...)...)
}

// begin lets so many events have been before. Call it while nothing waits.
func (tw *twin) begin(last uint32) {
	tw.core.Begin(last)
	tw.step('n', binary.LittleEndian.AppendUint32(nil, last)...)
}

func (tw *twin) pass(ms uint32) {
	tw.now += time.Duration(ms) * time.Millisecond
	tw.step('t', binary.LittleEndian.AppendUint32(nil, ms)...)
}

// receive passes bytes on, one frame at a time.
func (tw *twin) receive(stream []byte) {
	for _, in := range bytes.SplitAfter(stream, []byte{0}) {
		for len(in) > 0 {
			n := min(len(in), 255)
			tw.script = append(append(tw.script, 'r', byte(n)), in[:n]...)
			tw.flush(in[:n])
			in = in[n:]
		}
	}
}

// compare plays the script to the C shoe.
func (tw *twin) compare(t testing.TB, h *harness) {
	t.Helper()
	got, err := h.play(tw.script)
	if err != nil {
		t.Fatalf("%v\nscript % x", err, tw.script)
	}
	if bytes.Equal(got, tw.want) {
		return
	}
	at := 0
	for at < min(len(got), len(tw.want)) && got[at] == tw.want[at] {
		at++
	}
	t.Fatalf("the C shoe's answer differs from the Go shoe's from byte %d on\nC  % x\nGo % x\nscript % x",
		at, got[at:min(len(got), at+80)], tw.want[at:min(len(tw.want), at+80)], tw.script)
}
