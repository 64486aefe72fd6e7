package wire

// Decoder finds messages in a stream of bytes. It holds one frame at most, and after any garbage it continues with the
// frame that follows the next zero byte. The zero Decoder is ready for use; it is not safe for concurrent use.
type Decoder struct {
	// Guard opens sealed frames; without one each of them is a SealError.
	Guard *Guard

	frame   [MaxFrame - 1]byte
	n       int
	ended   int // length of the frame that ended last
	tooLong bool
	held    uint64 // bytes of the current frame, including those beyond its limit
	stats   Stats
}

// Stats counts what a Decoder has seen since it started.
type Stats struct {
	Messages     uint64 // good messages
	BadFrames    uint64 // frames that could not be opened: COBS, CRC, length
	Refused      uint64 // intact frames of another protocol version
	Sealed       uint64 // intact frames whose seal was not opened
	Skipped      uint64 // intact frames of an unknown type
	Invalid      uint64 // intact frames with a wrong length, field or card code
	DroppedBytes uint64 // bytes of bad frames and of frames dropped by Reset
}

// Feed takes the next received bytes, cut anywhere, and calls handle for every frame that ends in them, in order.
//
// With an error m is the zero Message, with one exception: if m.Numbered(), the frame was intact and m carries at least
// the event's Type, Boot, Seq and Micros. Such an event did happen and its number counts; with a CardCodeError it is an
// unread card. m.Counter is set even with an error if the frame's seal was good.
func (d *Decoder) Feed(p []byte, handle func(m Message, err error)) {
	for _, b := range p {
		if b != 0 {
			d.takeByte(b)
			continue
		}
		if d.held > 0 {
			m, err := d.finish()
			handle(m, err)
		}
	}
}

// Reset discards the current frame, as after the line was reopened, and counts its bytes as dropped.
func (d *Decoder) Reset() {
	d.stats.DroppedBytes += d.held
	d.begin()
}

// Frame returns the bytes of the frame that was passed to Feed's handle last, without the zero; of one that was too
// long, the first ones. They are valid until handle returns.
func (d *Decoder) Frame() []byte { return d.frame[:d.ended] }

// Stats returns the counts so far.
func (d *Decoder) Stats() Stats { return d.stats }

func (d *Decoder) begin() { d.n, d.held, d.tooLong = 0, 0, false }

func (d *Decoder) takeByte(b byte) {
	d.held++
	if d.n == len(d.frame) {
		d.tooLong = true
		return
	}
	d.frame[d.n] = b
	d.n++
}

func (d *Decoder) finish() (Message, error) {
	defer d.begin()
	d.ended = d.n
	if d.tooLong {
		return d.bad(ErrTooLong)
	}
	p, err := open(d.frame[:d.n])
	if err != nil {
		return d.bad(err)
	}
	switch p.version {
	case Version:
	case SealedVersion:
		if err := d.Guard.open(p.kind, &p.seal); err != nil {
			d.stats.Sealed++
			return Message{}, err
		}
	default:
		d.stats.Refused++
		return Message{}, &VersionError{Got: p.version, Want: SealedVersion}
	}
	return d.parse(&p)
}

func (d *Decoder) parse(p *packet) (Message, error) {
	m, err := parse(p.kind, p.payload)
	m.Counter = p.seal.counter
	switch {
	case err == nil:
		d.stats.Messages++
	case !p.kind.Known():
		d.stats.Skipped++
	default:
		d.stats.Invalid++
	}
	return m, err
}

func (d *Decoder) bad(err error) (Message, error) {
	d.stats.BadFrames++
	d.stats.DroppedBytes += d.held + 1
	return Message{}, err
}
