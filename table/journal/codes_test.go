package journal

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// TestCode: a code is what crypto/hmac makes, cut to its first half, and a key is the SHA-256 of the one before, in one
// block.
func TestCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytesOf := func(name string) [32]byte {
			return [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
		}
		r, digest := ratchet{key: bytesOf("key"), frame: 7}, bytesOf("digest")
		mac := hmac.New(sha256.New, r.key[:])
		mac.Write(digest[:])
		if code := r.code(&digest); !bytes.Equal(code[:], mac.Sum(nil)[:codeSize]) {
			t.Fatalf("the code is %x, and crypto/hmac makes %x", code, mac.Sum(nil))
		}
		next := sha256.Sum256(append([]byte("sabot journal code step"), r.key[:]...))
		if r.step(); r.key != next || r.frame != 8 {
			t.Fatalf("the key of frame %d is %x, and should be %x", r.frame, r.key, next)
		}
	})
	if used := len(stepName) + sha256.Size; used > sha256.BlockSize-9 {
		t.Errorf("a step hashes %d bytes, more than one block", used)
	}
}

// TestRatchetGoesForward: no key is that of an earlier frame, nor of one beyond all that there can be.
func TestRatchetGoesForward(t *testing.T) {
	key := AuditKey{1}
	far, near := key.first(), key.first()
	if !far.to(5) || !near.to(3) || !near.to(5) || near != far {
		t.Errorf("after two ways to frame 5 the keys are %+v and %+v", near, far)
	}
	if far.to(4) || far.to(mostFrames+1) || (&ratchet{}).to(1) || far.frame != 5 {
		t.Errorf("a key went back, or beyond the last frame: %+v", far)
	}
}

// TestAuditLine: the house's line is read as it was printed; any other is refused, and nothing of it is told.
func TestAuditLine(t *testing.T) {
	key := newAuditKey()
	if got, err := ParseAuditLine(key.Line() + "\n"); err != nil || got != key {
		t.Errorf("%v, %v", got, err)
	}
	secret := key.Line()[len(auditName):]
	for _, bad := range []string{
		"", auditName, secret, "ed25519:" + secret, key.Line() + "00",
		auditName + strings.Repeat("zz", 32),
	} {
		if _, err := ParseAuditLine(bad); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// codesOf is what the disk has of the table's key.
func codesOf(t testing.TB, d *disktest.Disk) *keptKey {
	t.Helper()
	c := newCodes(d, "sim", testKey, d.Clock().Now)
	must(t, c.read())
	if c.kept.Load() == nil {
		t.Fatal(c.wrong)
	}
	return c.kept.Load()
}

// auditKeyOf is the audit key that nobody has taken yet.
func auditKeyOf(t testing.TB, d *disktest.Disk) AuditKey {
	t.Helper()
	text, err := d.Hands().Read("sim" + AuditKeyEnd)
	must(t, err)
	key, err := ParseAuditLine(string(text))
	must(t, err)
	return key
}

// TestKeyMoves: the disk has the key of the next code, from the audit key on, and none of those before.
func TestKeyMoves(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{Key: testKey})
	audit := auditKeyOf(t, d)
	begun := codesOf(t, d).frame
	mustAppend(t, j, cardEntry(1))
	if j.KeyDue() {
		t.Error("the key is to move on in the middle of a round")
	}
	mustAppend(t, j, carrying(cardEntry(2), "{}"))
	if !j.KeyDue() {
		t.Error("the key is not to move on at the end of a round")
	}
	must(t, j.MoveKey())
	k := codesOf(t, d)
	if want := audit.first(); !want.to(j.tail.frame) || k.ratchet != want || k.frame != begun+3 ||
		k.after != j.tail.hash || k.by != audit.By() {
		t.Errorf("the disk has %+v, and the next key is %+v", k, want)
	}
	if j.KeyDue() {
		t.Error("the key has moved on, and is to move on again")
	}
	for old := audit.first(); old.frame < k.frame; old.step() {
		if wantNowhere(t, d, hex.EncodeToString(old.key[:])); t.Failed() {
			t.Fatalf("that is the key of frame %d", old.frame)
		}
	}
	mustAppend(t, j, cardEntry(3))
	d.Clock().Advance(keyLasts)
	if !j.KeyDue() {
		t.Error("the key is not to move on after an hour")
	}
}

// wantNowhere wants a text in no file but that of the audit key.
func wantNowhere(t *testing.T, d *disktest.Disk, text string) {
	t.Helper()
	for _, name := range d.Hands().Names() {
		b, err := d.Hands().Read(name)
		must(t, err)
		if name != "sim"+AuditKeyEnd && bytes.Contains(b, []byte(text)) {
			t.Errorf("%s has %s", name, text)
		}
	}
}

// planted is a frame that somebody adds to the end of a journal who can compute hashes. The code is that of the frame
// before, if there is to be one.
func planted(t testing.TB, d *disktest.Disk, coded bool, text string) {
	t.Helper()
	r := readOn(t, d)
	numbers, err := r.numbers()
	must(t, err)
	name := partName(numbers[len(numbers)-1])
	b, err := d.Hands().Read(name)
	must(t, err)
	var last frame
	for rest := b; len(rest) > 0; rest = rest[len(last.text):] {
		last, err = cutFrame(rest)
		must(t, err)
	}
	if coded {
		text += string(beforeCode) + hex.EncodeToString(last.code[:]) + `"`
	}
	sum := new(linker).sum(&last.hash, []byte(text))
	must(t, d.Hands().Append(name, []byte(text+string(beforeHash)+hex.EncodeToString(sum[:])+string(afterHash))))
}

// TestPlanted: what somebody without the key adds behind the last seal is not believed, whether it has a code or not:
// the journal is set aside as it is, and the reason names the line.
func TestPlanted(t *testing.T) {
	for name, text := range map[string]string{
		"away":   `{"away":1,"first":1,"last":4,"to":"/archive/x","at":1`,
		"cursor": `{"cursor":"mqtt","event":27`,
		"rules":  `{"rules":"` + strings.Repeat("00", 32) + `","text":{}`,
		"record": `{"in":"rest"}` + "\n" + `{"record":10,"event":27,"at":1,"round":1,"checkpoint":9`,
		"resolve": `{"in":"resolve","how":"void-round","by":"Anna"}` + "\n" +
			`{"out":"voided"}` + "\n" + `{"record":10,"event":28,"at":1,"round":1,"checkpoint":9`,
	} {
		for coded, want := range map[bool]string{true: "not made with the table's key", false: "has no code"} {
			t.Run(name, func(t *testing.T) {
				d := twoStarts(t, Options{Key: testKey})
				planted(t, d, coded, text)
				before := inFile(t, d, 2)
				j := openOn(t, d, Options{Key: testKey})
				former := j.Opening().Former
				if former == nil || !strings.Contains(former.Why, want) || !strings.Contains(former.Why, "record ") {
					t.Fatalf("the start says %+v, want %q", former, want)
				}
				if name != "record" && name != "resolve" && !strings.Contains(former.Why, "`"+name+"`") {
					t.Errorf("it does not name the line: %s", former.Why)
				}
				if kept, err := d.Hands().Read(former.Folder + "/" + partName(2)); err != nil ||
					!bytes.Equal(kept, before) {
					t.Errorf("what was planted is not there any more: %v", err)
				}
				if cursor, err := j.Cursor("mqtt"); err != nil || cursor > former.Event {
					t.Errorf("the cursor is %d, %v", cursor, err)
				}
			})
		}
	}
}

// TestKeyOfCodes: a start that has not the table's key of the codes, or that finds less than the key has seen, sets the
// journal aside; with an older key it checks more.
func TestKeyOfCodes(t *testing.T) {
	const kept = "sim" + CodesEnd
	for name, c := range map[string]struct {
		spoil func(t *testing.T, d *disktest.Disk, begun []byte)
		aside string
	}{
		"nothing": {func(*testing.T, *disktest.Disk, []byte) {}, ""},
		"an older": {
			func(t *testing.T, d *disktest.Disk, begun []byte) { must(t, d.Hands().Replace(kept, begun)) },
			"",
		},
		"missing": {func(t *testing.T, d *disktest.Disk, _ []byte) { must(t, d.Hands().Delete(kept)) }, "is missing"},
		"empty": {
			func(t *testing.T, d *disktest.Disk, _ []byte) { must(t, d.Hands().Replace(kept, nil)) },
			"is not usable",
		},
		"a changed": {
			func(t *testing.T, d *disktest.Disk, _ []byte) { must(t, d.Hands().Rot(kept, 900)) },
			"is not usable",
		},
		"of another table": {func(t *testing.T, d *disktest.Disk, _ []byte) {
			other := disktest.New(2)
			openOn(t, other, Options{Key: someKey})
			text, err := other.Hands().Read(kept)
			must(t, err)
			must(t, d.Hands().Replace(kept, text))
		}, "is not usable"},
		"the end cut off": {func(t *testing.T, d *disktest.Disk, _ []byte) {
			text := inFile(t, d, 2)
			must(t, d.Hands().Truncate(partName(2), lastWrite(t, text)))
		}, "its end was cut off: 3 frames behind record 7"},
		"the last part gone": {func(t *testing.T, d *disktest.Disk,
			_ []byte,
		) {
			must(t, d.Hands().Delete(partName(2)))
		}, "its end was cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			d := disktest.New(1)
			o := Options{Key: testKey}
			j := openOn(t, d, o)
			mustAppend(t, j, cardEntry(1), carrying(cardEntry(2), "{}"))
			begun, err := d.Hands().Read(kept)
			must(t, err)
			d = d.Kill()
			j = openOn(t, d, o)
			mustAppend(t, j, cardEntry(3), carrying(cardEntry(4), "{}"), cardEntry(5), cardEntry(6), cardEntry(7))
			mustAppend(t, j, cardEntry(8), carrying(cardEntry(9), "{}"))
			must(t, j.MoveKey())
			d = d.Kill()
			c.spoil(t, d, begun)
			j = openOn(t, d, o)
			former := j.Opening().Former
			if (former != nil) != (c.aside != "") || former != nil && !strings.Contains(former.Why, c.aside) {
				t.Fatalf("the start says %+v, want %q", former, c.aside)
			}
			mustAppend(t, j, cardEntry(1))
			must(t, j.Verify(t.Context(), nil))
			if again := openOn(t, d.PowerCut(1), o); again.Opening().Former != nil {
				t.Errorf("the next start says %+v", again.Opening().Former)
			}
		})
	}
}

// TestKeyStaysWhereTheDiskFails: the journal goes on with a key that cannot be kept, and the next start checks from the
// old one on, in however many parts.
func TestKeyStaysWhereTheDiskFails(t *testing.T) {
	d := disktest.New(1)
	warned := 0
	o := Options{Key: testKey, Warn: func(string, error) { warned++ }}
	j := openOn(t, d, o)
	old := codesOf(t, d).frame
	d.Plan(disktest.Fault{Op: disktest.Rename, Name: "sim" + CodesEnd + "*", Times: -1, Err: syscall.EIO})
	for n := range 5 {
		mustAppend(t, j, carrying(cardEntry(n), "{}"))
		if err := j.MoveKey(); err == nil {
			t.Fatal("the disk did not fail")
		}
		must(t, j.Lift(uint64(20_000*(n+1)), 0)) // it begins a part
	}
	if warned != 5 || codesOf(t, d).frame != old {
		t.Errorf("of five parts that were begun it warns %d times, and the key stands at frame %d, not %d", warned,
			codesOf(t, d).frame, old)
	}
	must(t, j.Tidy(t.Context(), Keep{NoPublisher: true, PackDays: 1}))
	d = d.Kill()
	d.Mend()
	j = openOn(t, d, o)
	if j.Opening().Former != nil || codesOf(t, d).frame != j.tail.frame {
		t.Errorf("the start says %+v, and the key stands at frame %d of %d", j.Opening().Former, codesOf(t, d).frame,
			j.tail.frame)
	}
}

// TestKeyNeverGoesBack: who comes late with the key of an earlier frame of the same journal replaces nothing; a journal
// that replaces another one begins with its own.
func TestKeyNeverGoesBack(t *testing.T) {
	d := disktest.New(1)
	c := newCodes(d, "sim", testKey, d.Clock().Now)
	by, one, other := newAuditKey().By(), strings.Repeat("ab", 16), strings.Repeat("cd", 16)
	for _, step := range []struct {
		journal     string
		frame, want uint64
	}{{one, 5, 5}, {one, 3, 5}, {one, 6, 6}, {other, 1, 1}, {other, 2, 2}} {
		must(t, c.keep(keptKey{journal: step.journal, by: by, ratchet: ratchet{frame: step.frame}}))
		if frame, _ := c.held(); frame != step.want || codesOf(t, d).frame != step.want {
			t.Errorf("after frame %d the key is that of frame %d, and of %d on the disk", step.frame, frame,
				codesOf(t, d).frame)
		}
	}
}
