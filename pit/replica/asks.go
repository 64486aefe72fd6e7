package replica

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Position is how far a table's journal is kept: up to which record of which journal. The zero Position is
// nothing.
type Position struct {
	Journal string
	Record  uint64
}

// ask is what a table is asked for: the records after a position.
type ask struct {
	table topic.Table
	Position
}

// limits bound the work of the fetching.
type limits struct {
	underway int           // tables that are asked at once
	far      int           // of these, tables that are far behind, so that others need not wait for them
	patience time.Duration // how long an answer may take
	settle   time.Duration // how long to wait after a record was heard of, since others follow at once
	most     int           // tables at all
}

const (
	// farBehind is from how many records on a table is far behind.
	farBehind = 1000
	// lookBack is how many records a look at a journal's end has: some rounds.
	lookBack = 200
	// attempts is after how many that brought nothing a technician is told.
	attempts = 5
	// leastPause and mostPause limit the time before a table that has brought nothing is asked again.
	leastPause = time.Second
	mostPause  = 5 * time.Minute
)

// asks decides which table is asked for what, and when. It is pure: messages and times come in.
type asks struct {
	limits
	agenda
	tables map[topic.Table]*tableAsks
	// epoch names the time for which this pit keeps a table, of several on one database, 0 for one that another keeps;
	// nil for a pit that is alone.
	epoch func(topic.Table) int64
	// paused is until when nobody is asked, since the store cannot take anything.
	paused  time.Time
	reports []report
}

// report is what a technician is told of one table: why its records cannot be had, "" once they can.
type report struct {
	table topic.Table
	why   string
	// unsure says that it was perhaps not known that they could not be had.
	unsure bool
}

// tableAsks is one table: what the store has of it, what it has itself, and what is under way.
type tableAsks struct {
	table topic.Table
	known bool // that the store was asked for its position
	has   Position
	head  Position
	// proven says that the table has the last record that the store has. As long as it is not, the table is asked
	// for that record once more, and the store compares: a table of which an earlier state was restored while nobody
	// looked may have come past that record with another. What is under way proves it only if proving.
	proven, proving bool
	boot            uint64
	// absent says that the table is offline, by its own word or its last will.
	absent bool
	// news is when the first record was heard of after what was asked for last, zero for none.
	news  time.Time
	heard time.Time // when something was heard of it last

	stage   stage
	asked   time.Time // when it was asked last
	failed  int       // attempts that brought nothing
	resume  time.Time // not before
	missing string    // why its records cannot be had, as a technician was told
	// peeks says that what is under way is a look at the journal's end, and peeked that there was one: who is far
	// behind shows how the table stands before it has all that was before.
	peeks, peeked bool
	// late says that the answer was given up, and is taken if it comes all the same.
	late bool
	// coming is the end of the records that are being kept, as far as the table says them by itself.
	coming Position
	// doubtful says that the store has found something wrong with what was answered last.
	doubtful bool
	// epoch is when this pit began to keep the table, elsewhere says that another one does, and unsure that another one
	// did, which may have told a technician something.
	epoch             int64
	elsewhere, unsure bool
	onAgenda
}

// stage is how far a question is.
type stage int

const (
	idle stage = iota
	// waiting for the answer.
	waiting
	// keeping what was answered.
	keeping
)

func newAsks(l limits) *asks {
	return &asks{limits: l, agenda: newAgenda(), tables: map[topic.Table]*tableAsks{}}
}

// of finds a table, to change it; nil for one too many.
func (a *asks) of(table topic.Table) *tableAsks {
	t := a.known(table)
	if t == nil && len(a.tables) < a.most {
		t = &tableAsks{table: table}
		a.tables[table] = t
		t.moves(a)
		a.touch(t)
	}
	return t
}

// known finds a table that was heard of before, to change it; nil for any other.
func (a *asks) known(table topic.Table) *tableAsks {
	t := a.tables[table]
	if t != nil {
		a.touch(t)
	}
	return t
}

// moved takes note of which tables this pit keeps.
func (a *asks) moved() {
	for _, t := range a.tables {
		t.moves(a)
		a.touch(t)
	}
}

// moves begins anew with a table that this pit keeps from now on: how far the store has it, another one knows.
func (t *tableAsks) moves(a *asks) {
	if a.epoch == nil {
		return
	}
	epoch := a.epoch(t.table)
	if t.elsewhere = epoch == 0; epoch == t.epoch {
		return
	}
	t.epoch, t.unsure, t.known, t.proven, t.proving = epoch, epoch != 0, false, false, false
	t.noted = false // what was to be found out before, was not this
	t.stage, t.coming, t.late, t.doubtful, t.peeks = idle, Position{}, false, false, false
	t.failed, t.resume, t.missing = 0, time.Time{}, ""
}

// passed: another pit has taken the table over, or is about to.
func (a *asks) passed(table topic.Table, now time.Time) {
	t := a.known(table)
	t.stage, t.coming, t.news, t.resume = idle, Position{}, now, now.Add(leastPause)
}

// lost says whether the table's position in the store is not known, and is to be.
func (t *tableAsks) lost() bool { return !t.known && !t.elsewhere }

// lost are the tables whose position in the store is to be found out, of which it has not been told before.
func (a *asks) lost() (list []topic.Table) {
	a.plan(a.settle)
	for _, t := range a.unlocated {
		list = append(list, t.table)
	}
	a.unlocated = a.unlocated[:0]
	return list
}

// know takes the store's position.
func (a *asks) know(table topic.Table, has Position) {
	if t := a.of(table); t != nil {
		t.known, t.has = true, has
	}
}

// event notes that a table has recorded something.
func (a *asks) event(table topic.Table, now time.Time) {
	t := a.of(table)
	if t == nil {
		return
	}
	t.heard, t.absent = now, false
	if t.news.IsZero() {
		t.news = now
	}
}

// hasHead notes a table's last record.
func (a *asks) hasHead(table topic.Table, head Position, now time.Time) {
	if t := a.of(table); t != nil {
		if t.doubtful && head != t.head {
			t.resume = time.Time{} // it may have been put right
		}
		t.heard, t.head = now, head
	}
}

// present notes whether a table is online, and in which start of its program.
func (a *asks) present(table topic.Table, online bool, boot uint64, now time.Time) {
	if t := a.of(table); t != nil {
		if !online || boot != t.boot { // it may have been started with another disk
			t.proven, t.proving = false, false
		}
		t.boot = boot
		if t.absent = !online; online {
			t.heard = now
		}
	}
}

// again: the connection is new, and what was asked for over the old one will not come.
func (a *asks) again() {
	for _, t := range a.tables {
		a.touch(t)
		t.proven, t.proving = false, false
		if t.late = false; t.stage == waiting {
			t.stage, t.resume = idle, time.Time{}
		}
	}
}

// behind says whether the table has records that the store lacks, as far as is known.
func (t *tableAsks) behind() bool {
	return t.head != (Position{}) && (t.head.Journal != t.has.Journal || t.head.Record > t.has.Record)
}

func (t *tableAsks) far() bool {
	return t.head != (Position{}) && (t.head.Journal != t.has.Journal || t.head.Record > t.has.Record+farBehind)
}

// wantsLook says whether the store lacks so much that the journal's end comes first.
func (t *tableAsks) wantsLook() bool {
	has := t.has.Record
	if t.has.Journal != t.head.Journal {
		has = 0
	}
	return !t.peeked && t.head.Record > has+farBehind
}

// ready is when the table may be asked, zero for not as things are.
func (t *tableAsks) ready(settle time.Duration) time.Time {
	at := t.resume
	switch {
	case !t.known || t.absent || t.stage != idle || t.elsewhere:
		return time.Time{}
	case t.failed > 0 && t.heard.Before(t.asked):
		return time.Time{} // it does not answer since it is not there
	case t.behind():
	case t.news.IsZero():
		return time.Time{}
	default:
		at = latest(at, t.news.Add(settle))
	}
	return latest(at, t.asked.Add(time.Nanosecond))
}

// underway says whether the table was asked, and its answer is not kept yet. What it says by itself takes no room from
// those that are to be asked.
func (t *tableAsks) underway() bool {
	return t.stage == waiting || t.stage == keeping && t.coming == Position{}
}

// due are the questions to be asked now: those whose turn was longest ago first.
func (a *asks) due(now time.Time) (list []ask) {
	a.plan(a.settle)
	for t := range a.asked {
		t.expire(a, now)
	}
	a.plan(a.settle)
	if now.Before(a.paused) {
		return nil
	}
	room, roomFar := a.underway-len(a.asked), a.limits.far
	for t := range a.asked {
		if t.far() {
			roomFar--
		}
	}
	a.arrive(now)
	for ; room > 0; room-- {
		t := a.pop(roomFar)
		if t == nil {
			break
		}
		a.touch(t)
		peeks := t.wantsLook()
		if t.far() && !peeks {
			roomFar--
		}
		t.peeks, t.peeked = peeks, t.peeked || peeks
		t.stage, t.asked, t.news, t.late, t.proving = waiting, now, time.Time{}, false, !t.proven
		list = append(list, ask{t.table, t.from()})
	}
	a.plan(a.settle)
	return list
}

// from is the position after which the table is asked.
func (t *tableAsks) from() Position {
	from := t.has
	if t.peeks {
		return Position{t.head.Journal, t.head.Record - lookBack}
	}
	if !t.proven && from.Record > 0 {
		from.Record--
	}
	return from
}

// next is when due is to be called again, zero for not before something is heard.
func (a *asks) next(now time.Time) (at time.Time) {
	a.plan(a.settle)
	sooner := func(t time.Time) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	for t := range a.asked {
		if t.stage == waiting {
			sooner(t.asked.Add(a.patience))
		}
	}
	if a.later.Len() > 0 {
		sooner(latest(a.later.tables[0].at, a.paused))
	}
	if now.Before(a.paused) {
		sooner(a.paused)
	}
	return at
}

// expire gives up an answer that does not come. Where everything is slower than its patience, it comes late.
func (t *tableAsks) expire(a *asks, now time.Time) {
	if t.stage != waiting || now.Sub(t.asked) < a.patience {
		return
	}
	a.touch(t)
	t.late = true
	if t.heard.Before(t.asked) {
		t.stage, t.failed = idle, max(t.failed, 1) // it is not there, and is asked once it is heard
		return
	}
	t.fail(a, now, "it does not answer: see that the broker lets the table read "+t.table.Topic(topic.KindFetch)+
		" and the pit write it, and that the table's program is new enough")
}

// looks says whether an answer of a table is to a look at its journal's end, which is shown, and not kept.
func (a *asks) looks(table topic.Table, now time.Time) bool {
	t := a.known(table)
	if t == nil || !t.peeks {
		return false
	}
	t.peeks, t.stage, t.heard, t.news, t.failed, t.late = false, idle, now, now, 0, false
	return true
}

// answers says whether an answer of a table is expected, and then that it is being kept.
func (a *asks) answers(table topic.Table, now time.Time) bool {
	t := a.known(table)
	if t == nil || t.stage == keeping || t.stage == idle && !t.late {
		return false
	}
	t.stage, t.heard, t.absent, t.late, t.coming = keeping, now, false, false, Position{}
	return true
}

// streams notes records that a table says by itself, from one position to another, and says whether they are kept: they
// go on where the store ends, or what is being kept. All others are asked for, in their turn.
func (a *asks) streams(table topic.Table, after, last Position, now time.Time) bool {
	t := a.of(table)
	if t == nil {
		return false
	}
	t.heard, t.absent = now, false
	if t.elsewhere {
		return false
	}
	end := t.has
	if t.stage == keeping {
		end = t.coming
	}
	if !t.known || !t.proven || after != end || t.failed > 0 || now.Before(a.paused) {
		if t.news.IsZero() {
			t.news = now
		}
		return false
	}
	t.stage, t.coming, t.late, t.news = keeping, last, false, time.Time{}
	return true
}

// missed notes that records of the stream do not go on where the store ends: something before them was not kept.
func (a *asks) missed(table topic.Table, now time.Time) {
	t := a.known(table)
	t.stage, t.coming, t.news = idle, Position{}, now
}

// kept notes what the store has now, after an answer that began after a record, and what the table said that it has.
func (a *asks) kept(table topic.Table, after uint64, has, head Position, now time.Time) {
	t := a.known(table)
	moved, proved := has != t.has, t.proves(after, head)
	if ends := t.has.Journal == head.Journal && t.has.Record > head.Record; proved && ends && t.news.IsZero() {
		t.news = now // its journal ends before what the store has: asked after that, it must say so
	}
	t.stage, t.has, t.head, t.proven, t.proving = idle, has, head, t.proven || proved, false
	if t.coming != has && t.coming.Journal == has.Journal && t.coming.Record > has.Record {
		t.stage = keeping // more of the stream waits
	} else {
		t.coming = Position{}
	}
	if t.behind() && !moved && !proved {
		t.fail(a, now, fmt.Sprintf("it has records up to %d, and answers with none after %d", head.Record, has.Record))
		return
	}
	t.failed, t.resume, t.doubtful = 0, time.Time{}, false
	t.tell(a, "")
}

// proves says whether an answer shows that the table has what the store has, since it begins with the last of that.
func (t *tableAsks) proves(after uint64, head Position) bool {
	return t.proving && (after < t.has.Record || t.has.Record == 0 || t.has.Journal != head.Journal)
}

// unreadable notes that the answer cannot be used, and why.
func (a *asks) unreadable(table topic.Table, why string, now time.Time) {
	a.known(table).fail(a, now, why)
}

// doubted notes that the store does not keep the answer: it contradicts what it has. That is for others to tell.
func (a *asks) doubted(table topic.Table, head Position, now time.Time) {
	t := a.known(table)
	t.head, t.doubtful = head, true
	t.fail(a, now, t.missing)
}

// pause: the store cannot keep anything until then. What was answered is asked for again.
func (a *asks) pause(table topic.Table, until time.Time) {
	a.paused = latest(a.paused, until)
	if t := a.known(table); t != nil {
		t.stage, t.coming, t.news = idle, Position{}, t.asked
	}
}

// fail notes an attempt that brought nothing.
func (t *tableAsks) fail(a *asks, now time.Time, why string) {
	t.stage, t.coming = idle, Position{}
	t.failed++
	t.resume = now.Add(min(leastPause<<min(t.failed-1, 20), mostPause))
	if t.news.IsZero() {
		t.news = now // whatever it was asked for is still to be had
	}
	if t.failed >= attempts {
		t.tell(a, why)
	}
}

// tell tells a technician, once.
func (t *tableAsks) tell(a *asks, why string) {
	if why != t.missing || t.unsure {
		a.reports = append(a.reports, report{t.table, why, t.unsure && why == ""})
		t.missing, t.unsure = why, false
	}
}

// told returns what a technician must hear of.
func (a *asks) told() []report {
	list := a.reports
	a.reports = nil
	return list
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func byName(a, b topic.Table) int {
	return cmp.Or(cmp.Compare(a.Site(), b.Site()), cmp.Compare(a.Name(), b.Name()))
}
