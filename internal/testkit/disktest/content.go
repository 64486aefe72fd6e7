package disktest

import (
	"math/rand/v2"
	"slices"
)

// sector is what a device writes whole or not at all.
const sector = 512

// content is the bytes of a file: as readers see them, and as they are on the device.
// Copies of a disk share slices: bytes are only ever appended in place, and every other
// change makes a new slice.
type content struct {
	// cache is what readers see.
	cache []byte
	// device is what a power cut leaves if nothing more is written.
	device []byte
	// dirty is what was written since the last sync.
	dirty []extent
	// lossy says that device differs from cache in bytes that are not dirty.
	lossy bool
}

// extent is a range of bytes.
type extent struct{ from, to int }

// fork is a copy that no longer changes with c.
func (c content) fork() content {
	c.cache, c.device, c.dirty = slices.Clip(c.cache), slices.Clip(c.device), slices.Clip(c.dirty)
	return c
}

// write puts bytes into the cache.
func (c *content) write(at int, p []byte) {
	if len(p) == 0 {
		return
	}
	if at != len(c.cache) {
		c.rewrite(at, p)
	} else {
		c.cache = append(c.cache, p...)
	}
	c.dirty = append(c.dirty, extent{at, at + len(p)})
}

// rewrite writes anywhere but at the end; it fills a gap with zeros.
func (c *content) rewrite(at int, p []byte) {
	grown := make([]byte, max(len(c.cache), at+len(p)))
	copy(grown, c.cache)
	copy(grown[at:], p)
	c.cache = grown
}

// commit makes everything dirty durable.
func (c *content) commit() {
	if c.lossy {
		c.device = c.flushed()
	} else {
		c.device = slices.Clip(c.cache)
	}
	c.dirty = nil
}

// flushed is the device after everything dirty was written to it.
func (c *content) flushed() []byte {
	image := c.image(len(c.cache))
	for _, e := range c.dirty {
		from, to := e.sectors(len(image))
		copy(image[from:to], c.cache[from:to])
	}
	return image
}

// image is a copy of the device with another size.
func (c *content) image(size int) []byte {
	image := make([]byte, size)
	copy(image, c.device)
	return image
}

// sectors widens an extent to whole sectors within a size.
func (e extent) sectors(size int) (from, to int) {
	return min(e.from/sector*sector, size), min((e.to+sector-1)/sector*sector, size)
}

// lose is a sync that fails: some of what is dirty may have reached the device; all of it
// counts as written.
func (c *content) lose(dice *rand.Rand) {
	if len(c.dirty) == 0 {
		return
	}
	if dice.IntN(2) == 0 {
		c.device = c.image(c.somewhere(dice))
	} else {
		c.device = c.torn(dice)
	}
	c.dirty, c.lossy = nil, true
}

// cut is a power cut: only what the device has remains.
func (c *content) cut(dice *rand.Rand) {
	if len(c.dirty) > 0 {
		c.device = c.afterCut(dice)
	}
	c.device = slices.Clip(c.device)
	c.cache, c.dirty, c.lossy = c.device, nil, false
}

// afterCut is the device after a power cut. The plain cases are as frequent as all others:
// nothing was written, everything, or only the file's new length.
func (c *content) afterCut(dice *rand.Rand) []byte {
	switch dice.IntN(6) {
	case 0:
		return c.device
	case 1:
		return c.flushed()
	case 2:
		return c.image(len(c.cache))
	default:
		return c.torn(dice)
	}
}

// torn is the device after some sectors of what is dirty were written, in any order.
func (c *content) torn(dice *rand.Rand) []byte {
	image := c.image(c.somewhere(dice))
	for _, e := range c.dirty {
		from, to := e.sectors(len(image))
		for at := from; at < to; at += sector {
			c.writeSector(image, at, dice)
		}
	}
	return image
}

// writeSector writes a sector, or not, or as it was at the end of one of the writes.
func (c *content) writeSector(image []byte, at int, dice *rand.Rand) {
	end := min(at+sector, len(image), len(c.cache))
	switch dice.IntN(5) {
	case 0, 1:
		return
	case 2:
		end = min(end, max(at, c.dirty[dice.IntN(len(c.dirty))].to))
	}
	copy(image[at:end], c.cache[at:end])
}

// somewhere is a size that the file may have if it is not known which one was written.
func (c *content) somewhere(dice *rand.Rand) int {
	least, most := min(len(c.device), len(c.cache)), len(c.cache)
	switch dice.IntN(4) {
	case 0:
		return len(c.device)
	case 1:
		return most
	case 2:
		return max(least, min(most, c.dirty[dice.IntN(len(c.dirty))].to))
	default:
		return least + dice.IntN(most-least+1)
	}
}

// evict drops the cache: readers see what is on the device, and what is dirty.
func (c *content) evict() {
	if c.lossy {
		c.cache = c.flushed()
	}
}
