package sqlitefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Pages is where pages come from. They are numbered from 1.
type Pages interface {
	// Page reads a page into a buffer of a page's size.
	Page(number uint32, into []byte) error
}

// File takes pages from a database file that nobody writes meanwhile. Where pages follow
// one another, as those of a large table do, it reads some ahead.
type File struct {
	from io.ReaderAt
	// ahead are the bytes of the file from the offset at on.
	ahead []byte
	at    int64
	room  []byte
}

// near is how many pages further on one still follows the last: other tables have
// pages between.
const near = 4

// NewFile prepares to read.
func NewFile(from io.ReaderAt) *File { return &File{from: from, room: make([]byte, 256<<10)} }

// Page reads a page.
func (f *File) Page(number uint32, into []byte) error {
	at := int64(number-1) * int64(len(into))
	if at < f.at || at+int64(len(into)) > f.at+int64(len(f.ahead)) {
		if err := f.read(at, len(into)); err != nil {
			return err
		}
	}
	copy(into, f.ahead[at-f.at:])
	return nil
}

// read reads a page of the given size, or more where it follows the last.
func (f *File) read(at int64, size int) error {
	room := f.room[:size]
	if end := f.at + int64(len(f.ahead)); at >= end && at < end+int64(near*size) {
		room = f.room
	}
	n, err := f.from.ReadAt(room, at)
	f.ahead, f.at = room[:n], at
	switch {
	case n >= size:
		return nil
	case errors.Is(err, io.EOF):
		return errors.New("damaged: the file ends before it")
	}
	return err
}

// PageError is a page that cannot be read, or is not what it must be.
type PageError struct {
	Page uint32
	Err  error
}

// Error names the page.
func (e *PageError) Error() string { return fmt.Sprintf("page %d of the file: %v", e.Page, e.Err) }

// Unwrap returns what is wrong with the page.
func (e *PageError) Unwrap() error { return e.Err }

func damaged(page uint32, format string, args ...any) error {
	return &PageError{page, fmt.Errorf("damaged: "+format, args...)}
}

// The kinds of b-tree page that a table has.
const (
	interiorPage = 0x05
	leafPage     = 0x0d
)

const (
	fileHeader = 100 // bytes before the b-tree in page 1
	maxDepth   = 20
	// batchPages is how many leaves a batch takes. At 4096 bytes a page that is a
	// quarter of a megabyte.
	batchPages = 64
)

// Walk goes through the rows of a table.
type Walk struct {
	pages  Pages
	size   int // of a page
	usable int // of it, but for what is reserved at its end
	// above are the interior pages from the root down to the next leaf.
	above []interior
	// left bounds how many pages may be read: a page that is its own child would
	// otherwise never end.
	left int64
	// root is where to begin, 0 once that is done.
	root uint32
}

// interior is a page that only leads to others.
type interior struct {
	page  []byte
	list  int // where the list of its cells begins
	cells int
	at    int // the next of its children; the one with the number cells is the last
}

// NewWalk prepares to walk the table whose b-tree begins with the page root. size is
// a page's, count how many pages there are.
func NewWalk(pages Pages, size int, count int64, root uint32) (*Walk, error) {
	if size < 512 || size > 65536 || size&(size-1) != 0 {
		return nil, fmt.Errorf("no database has pages of %d bytes", size)
	}
	first := make([]byte, size)
	if err := pages.Page(1, first); err != nil {
		return nil, &PageError{1, err}
	}
	const utf8 = 1
	switch reserved := int(first[20]); {
	case !bytes.HasPrefix(first, []byte("SQLite format 3\x00")):
		return nil, damaged(1, "the file does not begin as a database does")
	case binary.BigEndian.Uint32(first[56:]) != utf8:
		return nil, damaged(1, "its texts are not UTF-8")
	case size-reserved < 480:
		return nil, damaged(1, "%d bytes of each page are reserved", reserved)
	default:
		return &Walk{pages: pages, size: size, usable: size - reserved, left: count, root: root}, nil
	}
}

// Batch is some rows, and the memory that they lie in.
type Batch struct {
	Rows []Row

	arena []byte
	used  int
}

// Row is one row: its number, and its columns as Columns takes them apart. It lies in
// its batch's memory.
type Row struct {
	ID      int64
	payload []byte
	page    uint32
}

// Next fills a batch with the rows that follow; those that it held are no more. With
// an error it gives the rows before what cannot be read, and the next call goes on
// behind that. It is io.EOF when there are no more rows, and then there are none in
// the batch.
func (w *Walk) Next(b *Batch) error {
	b.Rows, b.used = b.Rows[:0], 0
	if b.arena == nil {
		b.arena = make([]byte, batchPages*w.size)
	}
	for {
		number, more := w.child()
		if !more {
			break
		}
		if err := w.visit(b, number); err != nil {
			return err
		}
		if b.used < len(b.arena) {
			continue
		}
		if len(b.Rows) > 0 {
			return nil
		}
		b.used = 0 // the leaves were empty
	}
	if len(b.Rows) == 0 {
		return io.EOF
	}
	return nil
}

// child is the page to go to next, false when there is none left.
func (w *Walk) child() (number uint32, more bool) {
	if w.root != 0 {
		number, w.root = w.root, 0
		return number, true
	}
	for len(w.above) > 0 {
		top := &w.above[len(w.above)-1]
		if top.at <= top.cells {
			top.at++
			return top.pointer(top.at - 1), true
		}
		w.above = w.above[:len(w.above)-1]
	}
	return 0, false
}

// visit reads a page: the rows of a leaf, or what an interior page leads to.
func (w *Walk) visit(b *Batch, number uint32) error {
	if w.left--; w.left < 0 {
		w.above = w.above[:0]
		return damaged(number, "the table has more pages than the file")
	}
	if number == 0 {
		return damaged(number, "there is no such page, and it is pointed to")
	}
	page := b.arena[b.used : b.used+w.size]
	if err := w.pages.Page(number, page); err != nil {
		return &PageError{number, err}
	}
	at := 0
	if number == 1 {
		at = fileHeader
	}
	cells := int(binary.BigEndian.Uint16(page[at+3:]))
	switch kind := page[at]; kind {
	case leafPage:
		b.used += w.size
		return w.rows(b, number, page, at+8, cells)
	case interiorPage:
		return w.descend(number, page, at+12, cells)
	default:
		return damaged(number, "it is of kind %d, which no page of a table is", kind)
	}
}

// descend goes on with the children of an interior page, whose cells are listed from
// the offset list on.
func (w *Walk) descend(number uint32, page []byte, list, cells int) error {
	if len(w.above) == maxDepth {
		return damaged(number, "the tree is deeper than any can be")
	}
	if list+2*cells > w.usable {
		return damaged(number, "it has %d cells, which do not fit", cells)
	}
	one := interior{page: bytes.Clone(page), list: list, cells: cells}
	for i := range cells {
		if one.offset(i)+4 > w.usable {
			return damaged(number, "cell %d lies outside", i)
		}
	}
	w.above = append(w.above, one)
	return nil
}

// pointer is the i-th child.
func (p *interior) pointer(i int) uint32 {
	if i == p.cells {
		return binary.BigEndian.Uint32(p.page[p.list-4:])
	}
	return binary.BigEndian.Uint32(p.page[p.offset(i):])
}

func (p *interior) offset(i int) int { return int(binary.BigEndian.Uint16(p.page[p.list+2*i:])) }

// rows reads the rows of a leaf.
func (w *Walk) rows(b *Batch, number uint32, page []byte, list, cells int) error {
	if list+2*cells > w.usable {
		return damaged(number, "it has %d rows, which do not fit", cells)
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[list+2*i:]))
		row, err := w.row(page[:w.usable], at)
		if err != nil {
			return &PageError{number, fmt.Errorf("row %d in it: %w", i+1, err)}
		}
		row.page = number
		b.Rows = append(b.Rows, row)
	}
	return nil
}
