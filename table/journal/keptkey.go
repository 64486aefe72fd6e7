package journal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// The ends of the names of the two files beside the journal: the key of the next code, and the audit key until the
// house has taken it.
const (
	CodesEnd    = ".codes"
	AuditKeyEnd = ".audit-key"
)

// mostKeptBytes limits the two files, in bytes.
const mostKeptBytes = 4 << 10

// keptKey is how far the key of the codes has moved on, as the table keeps it: the keys of earlier frames are
// forgotten. It may be older than the frames, and is never newer than what is durable of them.
type keptKey struct {
	ratchet
	// journal is the journal whose frame comes next, after is the hash of the frame before that one, and by names the
	// audit key.
	journal string
	after   [sha256.Size]byte
	by      string
	at      int64
}

// keptLine is such a key in its file.
type keptLine struct {
	Journal   string `json:"journal"`
	By        string `json:"by"`
	Frame     uint64 `json:"frame"`
	After     string `json:"after"`
	Key       string `json:"key"`
	At        int64  `json:"at"`
	Signature string `json:"signature"`
}

// signed is the text of a kept key that the table signs, so that nobody else can put one in its place.
func (k *keptKey) signed() []byte {
	b := append([]byte("sabot journal codes\n"), k.journal...)
	b = append(append(b, '\n'), k.by...)
	b = strconv.AppendUint(append(b, '\n'), k.frame, 10)
	b = hex.AppendEncode(append(b, '\n'), k.after[:])
	b = hex.AppendEncode(append(b, '\n'), k.key[:])
	return append(strconv.AppendInt(append(b, '\n'), k.at, 10), '\n')
}

// text is the content of its file.
func (k *keptKey) text(key ed25519.PrivateKey) ([]byte, error) {
	text, err := json.Marshal(keptLine{
		k.journal, k.by, k.frame, hex.EncodeToString(k.after[:]), hex.EncodeToString(k.key[:]), k.at,
		hex.EncodeToString(ed25519.Sign(key, k.signed())),
	})
	return append(text, '\n'), err
}

// errUnusable is a file that no table with this key wrote. Its text has nothing of the file's content.
var errUnusable = errors.New("it is not what this table wrote")

// parseKept reads such a file, and checks its signature.
func parseKept(text []byte, key ed25519.PublicKey) (*keptKey, error) {
	var line keptLine
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if len(text) > mostKeptBytes || dec.Decode(&line) != nil {
		return nil, errUnusable
	}
	k := &keptKey{journal: line.Journal, by: line.By, at: line.At, ratchet: ratchet{frame: line.Frame}}
	signature, err := hex.DecodeString(line.Signature)
	whole := len(line.After) == hexHash && len(line.Key) == hexHash && readHash(&k.after, []byte(line.After)) &&
		readHash(&k.key, []byte(line.Key))
	switch {
	case err != nil || !whole || !isID(k.journal) || !isBy(k.by) || k.frame < 1 || k.frame > mostFrames:
		return nil, errUnusable
	case !ed25519.Verify(key, k.signed(), signature):
		return nil, errUnusable
	}
	return k, nil
}

// under checks that the frame at which the key had come to stand still follows the same frame; nil knows of none.
func (k *keptKey) under(s *state) error {
	if k == nil || s.frame != k.frame || s.hash == k.after {
		return nil
	}
	return &BrokenError{
		Seq: s.seq, Forged: true,
		What: "or what comes before it is not what it was when the table's key last moved on: the journal was " +
			"rewritten",
	}
}

// reached checks that the end of the journal is not before the frame at which the key had come to stand.
func (k *keptKey) reached(s *state) error {
	if k != nil && s.frame < k.frame {
		return fmt.Errorf("%w: its end was cut off: %d frames behind record %d are missing which were there when "+
			"the table's key last moved on", ErrDamaged, k.frame-s.frame, s.seq)
	}
	return k.under(s)
}

// codes keep the key of the next code on the disk.
type codes struct {
	on   disk.Disk
	name string // of the journal, which the names of the files begin with
	key  ed25519.PrivateKey
	now  func() time.Time

	mu mutex // held while a file is written
	// kept is what the disk has, nil for nothing that is usable, and wrong says why. Who begins a part reads it while
	// the key moves on.
	kept  atomic.Pointer[keptKey]
	wrong string
}

func newCodes(on disk.Disk, path string, key ed25519.PrivateKey, now func() time.Time) codes {
	return codes{on: on, name: filepath.Base(path), key: key, now: now, mu: newMutex()}
}

// owns reports whether a file is one of the two, whole or not.
func (c *codes) owns(name string) bool {
	name = strings.TrimSuffix(name, draftEnd)
	return name == c.name+CodesEnd || name == c.name+AuditKeyEnd || strings.HasPrefix(name, c.name+CodesEnd+unusableEnd)
}

// unusableEnd is what the name of a key has that was not usable: it stays, for whoever finds out who wrote it.
const unusableEnd = ".unusable-"

// read reads what the last start has left. Only a disk that does not read is an error.
func (c *codes) read() error {
	if c.key == nil {
		return nil
	}
	text, err := readFile(c.on, c.name+CodesEnd)
	if notThere(err) {
		c.wrong = "the file with the key of its codes is missing"
		return nil
	}
	if cannotNow(err) {
		return err
	}
	if err == nil {
		var kept *keptKey
		kept, err = parseKept(text, c.key.Public().(ed25519.PublicKey))
		c.kept.Store(kept)
	}
	if err != nil {
		c.wrong = "the file with the key of its codes is not usable: " + err.Error()
		return putAside(c.on, c.name+CodesEnd, c.now())
	}
	// A start that was killed may have put it there just now: a power cut after this one must not leave frames without
	// it.
	return c.on.SyncFolder()
}

// begin draws an audit key, from which the codes follow from the next frame of a journal on. The audit key is durable
// before any code is made with it.
func (c *codes) begin(id string, after [sha256.Size]byte) error {
	audit := newAuditKey()
	lines, err := c.untaken()
	if err == nil {
		err = c.replace(AuditKeyEnd, append(lines, audit.Line()+"\n"...))
	}
	if err != nil {
		return fmt.Errorf("keeping the audit key: %w", err)
	}
	return c.keep(keptKey{ratchet: audit.first(), journal: id, after: after, by: audit.By()})
}

// untaken are the lines of earlier audit keys that nobody has taken yet. Where the disk does not read them they must
// not be replaced.
func (c *codes) untaken() (lines []byte, err error) {
	text, err := readFile(c.on, c.name+AuditKeyEnd)
	if cannotNow(err) {
		return nil, err
	}
	if err != nil || len(text) > mostKeptBytes-hexHash {
		return nil, nil
	}
	for line := range bytes.Lines(text) {
		if key, err := ParseAuditLine(string(line)); err == nil {
			lines = append(lines, key.Line()+"\n"...)
		}
	}
	return lines, nil
}

// keep replaces what is kept by a key that has moved on.
func (c *codes) keep(k keptKey) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if had := c.kept.Load(); had != nil && had.by == k.by && had.journal == k.journal && had.frame >= k.frame {
		return nil
	}
	k.at = c.now().UnixNano()
	text, err := k.text(c.key)
	if err == nil {
		err = c.replace(CodesEnd, text)
	}
	if err != nil {
		return fmt.Errorf("keeping the key of the codes: %w", err)
	}
	c.kept.Store(&k)
	c.wrong = ""
	return nil
}

// replace replaces one of the files: a power cut leaves the old or the new one.
func (c *codes) replace(end string, text []byte) error {
	name := c.name + end
	if info, err := c.on.Stat(name); err == nil && info.Folder {
		if err := putAside(c.on, name, c.now()); err != nil {
			return err
		}
	}
	file, err := draft(c.on, name, text, false)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), c.on.Rename(name+draftEnd, name), c.on.SyncFolder())
}

// held is the frame at which the key on the disk stands, 0 for none.
func (c *codes) held() (frame uint64, at time.Time) {
	k := c.kept.Load()
	if k == nil {
		return 0, time.Time{}
	}
	return k.frame, time.Unix(0, k.at)
}

// code has the frames behind a state have codes.
func (j *Journal) code(s *state) error {
	if j.key == nil {
		return nil
	}
	if j.codes.kept.Load() == nil {
		if err := j.codes.begin(j.id, s.hash); err != nil {
			return err
		}
	}
	s.keys = j.codes.kept.Load().ratchet
	s.frame = s.keys.frame
	return nil
}

// keyLasts is how long a key is kept at most while frames are made with later ones.
const keyLasts = time.Hour

// KeyDue reports whether MoveKey is to be called: a round has ended, or an hour has passed.
func (j *Journal) KeyDue() bool {
	frame, at := j.codes.held()
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &j.tail
	return !j.shut && s.frame > frame && (s.underSeal > frame || j.now().Sub(at) >= keyLasts)
}

// MoveKey has the disk forget the keys of all codes that were made so far: whoever takes the table's key after that
// cannot change what was written before. A start and the beginning of a part do it, too. It waits for the disk, and
// Append does not wait for it.
func (j *Journal) MoveKey() (err error) {
	defer faultOf("move the key of the codes on", j.path, &err)
	j.mu.Lock()
	k := j.nextKey()
	j.mu.Unlock()
	if k.frame == 0 {
		return nil
	}
	return j.codes.keep(k)
}

// nextKey is the key of the next frame. Everything before that is durable.
func (j *Journal) nextKey() keptKey {
	k := keptKey{journal: j.id, after: j.tail.hash, ratchet: j.tail.keys}
	if kept := j.codes.kept.Load(); kept != nil {
		k.by = kept.by
	}
	return k
}

// keepKey moves the key on where a write is under way already. A disk that fails leaves the old one, which is good for
// more frames than it need be.
func (j *Journal) keepKey() {
	if k := j.nextKey(); k.frame > 0 {
		if err := j.codes.keep(k); err != nil {
			j.o.Warn("the key of the journal's codes stays where it was: whoever takes it could rewrite more", err)
		}
	}
}
