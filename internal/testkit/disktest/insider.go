// An insider is somebody who may write all files of a table while it is stopped, and has none of its keys: he
// deletes, cuts, appends, swaps and replays lines, parts and side files. He knows how a journal is written, and uses
// none of the code that writes it.

package disktest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Insider is one, at one table.
type Insider struct {
	// Journal is the name of the journal, with which the names of the files beside it begin, and Key the public half of
	// its key, as a line.
	Journal, Key string
	// Did is what he has done.
	Did []string

	dice      *rand.Rand
	yesterday map[string][]byte
}

// NewInsider is an insider who does what a seed says.
func NewInsider(seed uint64, journal, key string) *Insider {
	return &Insider{Journal: journal, Key: key, dice: rand.New(rand.NewPCG(seed, 0x696e73))}
}

// PartName is the name of a part.
func PartName(number uint64) string { return fmt.Sprintf("part-%06d.jsonl", number) }

// Files is what all files of a disk hold, but for those in folders.
func Files(h Hands) map[string][]byte {
	all := map[string][]byte{}
	names := h.Names()
	for _, name := range names {
		if folder(names, name) || strings.Contains(name, "/") {
			continue
		}
		if text, err := h.Read(name); err == nil {
			all[name] = bytes.Clone(text)
		}
	}
	return all
}

// folder reports whether a name is that of a folder.
func folder(names []string, name string) bool {
	return strings.HasPrefix(name, setAside) && !strings.Contains(name, "/") ||
		slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+"/") })
}

const setAside = "set-aside-"

// Remember has him keep a copy of everything, to put it back another day.
func (i *Insider) Remember(h Hands) { i.yesterday = Files(h) }

// Yesterday gives him a copy of everything.
func (i *Insider) Yesterday(files map[string][]byte) { i.yesterday = files }

// insiderDeed is one thing that he may do to a part. It reports whether there was anything to do.
type insiderDeed struct {
	often int
	do    func(i *Insider, h Hands, p part) (bool, error)
}

// part is one of the parts, with its frames.
type part struct {
	name   string
	text   []byte
	frames []frame
}

// Act does some of what he can do.
func (i *Insider) Act(h Hands) error {
	for done, tries := 1+i.dice.IntN(2), 0; done > 0 && tries < 50; tries++ {
		p, there := i.part(h)
		if !there {
			return nil
		}
		did, err := i.draw().do(i, h, p)
		if err != nil {
			return fmt.Errorf("the insider cannot: %w", err)
		}
		if did {
			done--
		}
	}
	return nil
}

func (i *Insider) draw() insiderDeed {
	all := 0
	for _, d := range deeds {
		all += d.often
	}
	n := i.dice.IntN(all)
	for _, d := range deeds {
		if n -= d.often; n < 0 {
			return d
		}
	}
	panic("unreachable")
}

func (i *Insider) did(format string, args ...any) {
	i.Did = append(i.Did, fmt.Sprintf(format, args...))
}

// part is one of the parts; the newest every second time.
func (i *Insider) part(h Hands) (part, bool) {
	var parts []string
	for _, name := range h.Names() {
		if strings.HasPrefix(name, "part-") && strings.HasSuffix(name, ".jsonl") && !strings.Contains(name, "/") {
			parts = append(parts, name)
		}
	}
	if len(parts) == 0 {
		return part{}, false
	}
	name := parts[len(parts)-1]
	if i.dice.IntN(2) == 0 {
		name = parts[i.dice.IntN(len(parts))]
	}
	text, err := h.Read(name)
	if err != nil {
		return part{}, false
	}
	text = bytes.Clone(text)
	return part{name, text, framesOf(text)}, true
}

// deeds are all that he does.
var deeds []insiderDeed

func init() {
	deeds = []insiderDeed{
		{2, deletes},
		{2, cuts},
		{2, leaves},
		{2, takesOut},
		{2, swapsFrames},
		{2, swapsParts},
		{2, bringsBack},
		{2, replays},
		{2, rewrites},
		{4, sideFile},
		{2, bringsAllBack},
		{1, links},
		{1, moves},
		{1, garbage},
		{1, strange},
		{1, changesByte},
		{2, setsAside},
		{4, plants},
	}
}

func deletes(i *Insider, h Hands, p part) (bool, error) {
	i.did("deleted %s", p.name)
	return true, h.Delete(p.name)
}

func cuts(i *Insider, h Hands, p part) (bool, error) {
	if len(p.text) == 0 {
		return false, nil
	}
	to := i.dice.IntN(len(p.text))
	i.did("cut %s to %d of %d bytes", p.name, to, len(p.text))
	return true, h.Truncate(p.name, to)
}

func leaves(i *Insider, h Hands, p part) (bool, error) {
	if len(p.frames) < 2 {
		return false, nil
	}
	n := 1 + i.dice.IntN(len(p.frames)-1)
	i.did("left %d of %d frames in %s", n, len(p.frames), p.name)
	return true, h.Replace(p.name, joined(p.frames[:n]))
}

func takesOut(i *Insider, h Hands, p part) (bool, error) {
	if len(p.frames) == 0 {
		return false, nil
	}
	n := i.dice.IntN(len(p.frames))
	i.did("took the frame %d of %d out of %s", n, len(p.frames), p.name)
	return true, h.Replace(p.name, joined(slices.Delete(p.frames, n, n+1)))
}

func swapsFrames(i *Insider, h Hands, p part) (bool, error) {
	if len(p.frames) < 2 {
		return false, nil
	}
	a, b := i.dice.IntN(len(p.frames)), i.dice.IntN(len(p.frames))
	i.did("swapped the frames %d and %d of %s", a, b, p.name)
	p.frames[a], p.frames[b] = p.frames[b], p.frames[a]
	return true, h.Replace(p.name, joined(p.frames))
}

func swapsParts(i *Insider, h Hands, p part) (bool, error) {
	other, there := i.part(h)
	if !there {
		return false, nil
	}
	i.did("swapped %s and %s", p.name, other.name)
	return true, errors.Join(h.Replace(p.name, other.text), h.Replace(other.name, p.text))
}

func bringsBack(i *Insider, h Hands, p part) (bool, error) {
	if i.yesterday[p.name] == nil {
		return false, nil
	}
	i.did("brought yesterday's %s back", p.name)
	return true, h.Replace(p.name, i.yesterday[p.name])
}

func replays(i *Insider, h Hands, p part) (bool, error) {
	if len(p.frames) < 2 {
		return false, nil
	}
	n := 1 + i.dice.IntN(len(p.frames)-1)
	i.did("replayed %d frames at the end of %s", n, p.name)
	return true, h.Append(p.name, joined(p.frames[len(p.frames)-n:]))
}

func rewrites(i *Insider, h Hands, p part) (bool, error) {
	if len(p.frames) < 2 {
		return false, nil
	}
	n := i.dice.IntN(len(p.frames))
	i.did("rewrote %s from frame %d on", p.name, n)
	return true, h.Replace(p.name, Rechained(p.text, n))
}

func bringsAllBack(i *Insider, h Hands, _ part) (bool, error) {
	if i.yesterday == nil {
		return false, nil
	}
	i.did("brought all of yesterday's files back")
	var errs []error
	for name := range Files(h) {
		errs = append(errs, h.Delete(name))
	}
	for name, text := range i.yesterday {
		h.Put(name, text)
	}
	return true, errors.Join(errs...)
}

func links(i *Insider, h Hands, p part) (bool, error) {
	i.did("linked %s", p.name)
	return true, h.Link(p.name, fmt.Sprintf("second-%d", i.dice.IntN(1000)))
}

func moves(i *Insider, h Hands, p part) (bool, error) {
	to := PartName(uint64(1 + i.dice.IntN(99)))
	i.did("moved %s to %s", p.name, to)
	if to == p.name {
		return true, nil
	}
	return true, h.Move(p.name, to)
}

func garbage(i *Insider, h Hands, _ part) (bool, error) {
	to := PartName(uint64(1 + i.dice.IntN(99)))
	i.did("put garbage into %s", to)
	h.Put(to, bytes.Repeat([]byte("garbage\n"), i.dice.IntN(200)))
	return true, nil
}

// strange makes a file with the name of a part that no table reaches.
func strange(i *Insider, h Hands, p part) (bool, error) {
	to := PartName([]uint64{1 << 40, 1 << 50, 1 << 62, 1<<63 - 1}[i.dice.IntN(4)])
	i.did("copied %s to %s", p.name, to)
	h.Put(to, p.text)
	return true, nil
}

func changesByte(i *Insider, h Hands, p part) (bool, error) {
	if len(p.text) == 0 {
		return false, nil
	}
	at := i.dice.IntN(len(p.text))
	i.did("changed byte %d of %s", at, p.name)
	return true, h.Rot(p.name, 8*at)
}

// sideFile does something to one of the files beside the parts.
func sideFile(i *Insider, h Hands, _ part) (bool, error) {
	var all []string
	for name := range Files(h) {
		if strings.HasPrefix(name, i.Journal+".") {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return false, nil
	}
	slices.Sort(all)
	name := all[i.dice.IntN(len(all))]
	text, err := h.Read(name)
	if err != nil {
		return false, err
	}
	switch i.dice.IntN(4) {
	case 0:
		i.did("deleted %s", name)
		return true, h.Delete(name)
	case 1:
		i.did("emptied %s", name)
		return true, h.Replace(name, nil)
	case 2:
		i.did("changed a bit of %s", name)
		return true, h.Rot(name, i.dice.IntN(8*max(1, len(text))))
	}
	if i.yesterday[name] == nil {
		return false, nil
	}
	i.did("brought yesterday's %s back", name)
	return true, h.Replace(name, i.yesterday[name])
}

// setsAside does something to what the table has set aside.
func setsAside(i *Insider, h Hands, _ part) (bool, error) {
	var inside []string
	for _, name := range h.Names() {
		if strings.HasPrefix(name, setAside) && strings.Contains(name, "/") {
			inside = append(inside, name)
		}
	}
	if len(inside) == 0 {
		return false, nil
	}
	name := inside[i.dice.IntN(len(inside))]
	text, err := h.Read(name)
	if err != nil {
		return false, err
	}
	if i.dice.IntN(2) == 0 {
		i.did("deleted %s", name)
		return true, h.Delete(name)
	}
	i.did("cut %s to half", name)
	return true, h.Truncate(name, len(text)/2)
}

// plants adds a line that fits by its hash to the newest part, as somebody does who knows how a journal is written.
func plants(i *Insider, h Hands, p part) (bool, error) {
	if len(p.frames) == 0 {
		return false, nil
	}
	last := p.frames[len(p.frames)-1]
	record, event := p.reaches()
	part, first := number(p.name), number(i.first(h))
	line := []string{
		fmt.Sprintf(`{"away":%d,"first":1,"last":%d,"to":"/x","at":1`, first, 1+i.dice.IntN(int(record)+1)),
		fmt.Sprintf(`{"cursor":"%s","event":%d`, [2]string{"pit", "mqtt"}[i.dice.IntN(2)], 1+i.dice.IntN(int(event)+1)),
		fmt.Sprintf(`{"in":"rest"}`+"\n"+`{"record":%d,"event":%d,"at":1,"round":1`, record+1, event),
		fmt.Sprintf(`{"seal":%d,"at":1,"key":"%s","signature":"%0128d"`, record, i.Key, 0),
		fmt.Sprintf(`{"accepted":"part %d is missing, and nothing says that it was moved away","by":"anna","at":1,"of":[]`, first),
	}[i.dice.IntN(5)]
	if i.dice.IntN(2) == 0 {
		line += last.code()
	}
	i.did("added a line to %s: %s", p.name, line)
	if err := h.Append(p.name, last.before(line)); err != nil {
		return true, err
	}
	if strings.HasPrefix(line, `{"away"`) && first != part {
		i.did("deleted the part that it names")
		return true, h.Delete(PartName(first))
	}
	return true, nil
}

// first is the name of the first part.
func (i *Insider) first(h Hands) string {
	for _, name := range h.Names() {
		if strings.HasPrefix(name, "part-") && strings.HasSuffix(name, ".jsonl") {
			return name
		}
	}
	return ""
}

// TakesTheEnd reports whether something that was done may have taken away the end of a journal, and nothing else:
// nobody but the pit can know that then.
func TakesTheEnd(did string) bool {
	for _, begin := range []string{
		"cut ", "left ", "brought all of yesterday's", "brought yesterday's part", "deleted part", "took ", "moved ",
	} {
		if strings.HasPrefix(did, begin) {
			return true
		}
	}
	return false
}
