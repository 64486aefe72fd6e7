package journal

import (
	"crypto/sha256"
	"errors"
	"sync"
)

// This file reads and hashes a part ahead of the code that checks its content: on a machine
// with two cores, both have work.

// stretch is some frames in one buffer.
type stretch struct {
	buf   []byte
	found []found
	// end is why there are no more, nil while there may be.
	end  error
	last frame // the rest that is not a whole frame
}

// found is a frame, or text that is not a frame.
type found struct {
	frame
	// linked says that it begins where the frame before it ends, and fits that its hash
	// follows from that frame's.
	linked, fits bool
	wrong        error
}

// ahead reads the frames of a part on a goroutine of its own.
type ahead struct {
	ready chan *stretch
	free  chan *stretch
	stop  chan struct{}
	done  sync.WaitGroup
	now   *stretch
	next  int
}

// stretches is how many buffers are in use.
const stretches = 4

// readAhead starts to read a part. The stretches are reused from one part to the next.
func (a *ahead) readAhead(in *frames) {
	if a.free == nil {
		a.ready, a.free = make(chan *stretch, stretches), make(chan *stretch, stretches)
		for range stretches {
			a.free <- new(stretch) // its buffer is made when it is read into
		}
	}
	a.stop, a.now, a.next = make(chan struct{}), nil, 0
	in.free = a.free
	a.done.Go(func() { a.read(in) })
}

// read fills stretches until the part ends.
func (a *ahead) read(in *frames) {
	var own *stretch
	before := int64(-1) // where the previous frame ends
	for {
		f, err := in.next()
		if own == nil {
			own = in.own
		}
		if own != in.own {
			a.ready <- own
			own = in.own
		}
		if own == nil { // the part is empty
			own = <-a.free
			in.own = own
		}
		switch {
		case err == nil:
			own.found = append(own.found, found{frame: f, linked: before == f.at})
			now := &own.found[len(own.found)-1]
			now.fits = now.linked && in.fits(&now.frame)
			before = now.end()
		case errors.Is(err, errFrame):
			in.pass(f.text)
			own.found = append(own.found, found{frame: f, wrong: err})
		default:
			own.end, own.last = err, f
			a.ready <- own
			return
		}
		select {
		case <-a.stop:
			own.end = errStopped
			a.ready <- own
			return
		default:
		}
	}
}

// errStopped ends a stretch that is no longer needed.
var errStopped = errors.New("stopped")

// fits reports whether the hash of a frame follows from that of the frame before. All the
// text that it covers is in the buffer.
func (r *frames) fits(f *frame) bool {
	text := r.buf[r.used-len(f.text)-contextSize : r.used-hashEnd]
	if !r.digests || !f.coded {
		return sha256.Sum256(text) == f.hash
	}
	if r.sum == nil {
		r.sum = sha256.New()
	}
	r.sum.Reset()
	r.sum.Write(text[:len(text)-codeEnd])
	r.sum.Sum(f.digest[:0])
	r.sum.Write(text[len(text)-codeEnd:])
	r.linked = r.sum.Sum(r.linked[:0])
	return [sha256.Size]byte(r.linked) == f.hash
}

// get returns the next frame, or nil and the error that ends the part. It is valid until
// the next call.
func (a *ahead) get() (*found, *frame, error) {
	for {
		if a.now != nil && a.next < len(a.now.found) {
			a.next++
			return &a.now.found[a.next-1], nil, nil
		}
		if a.now != nil && a.now.end != nil {
			return nil, &a.now.last, a.now.end
		}
		a.giveBack()
		a.now, a.next = <-a.ready, 0
	}
}

func (a *ahead) giveBack() {
	if s := a.now; s != nil {
		s.found, s.end, s.last = s.found[:0], nil, frame{}
		a.now = nil
		a.free <- s
	}
}

// end stops reading, wherever it is.
func (a *ahead) end() {
	close(a.stop)
	for ended := a.now != nil && a.now.end != nil; !ended; {
		a.giveBack()
		a.now = <-a.ready
		ended = a.now.end != nil
	}
	a.giveBack()
	a.done.Wait()
}
