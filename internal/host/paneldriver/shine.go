package paneldriver

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
)

// blinkHalf is how long a blinking lamp is lit, and then dark.
const blinkHalf = 400 * time.Millisecond

// shine lights the lamps, sounds the buzzer and locks the shoe until ctx ends.
func (d *Desk) shine(ctx context.Context) {
	s := shiner{desk: d, blink: time.NewTimer(0), beat: time.NewTimer(0)}
	defer s.blink.Stop()
	defer s.beat.Stop()
	for {
		view, changed := d.o.Table.Look()
		s.see(view)
		s.set()
		select {
		case <-changed:
		case sound := <-d.sounds:
			s.say(sound)
		case <-s.blink.C:
			if s.blinking {
				s.bright = !s.bright
				s.blink.Reset(blinkHalf)
			}
		case <-s.beat.C:
			s.next()
		case <-ctx.Done():
			return
		}
	}
}

// shiner is the state that the outputs are to show.
type shiner struct {
	desk *Desk
	view display.View
	// blink ends half of a lamp's blinking, beat a part of a sound.
	blink, beat *time.Timer
	// blinking says whether a lamp blinks, and bright whether it is lit now.
	blinking, bright bool
	// buzzing says whether the buzzer sounds now, and rest what follows.
	buzzing bool
	rest    []time.Duration
	is      [outputs]bool
	broken  [outputs]bool
}

func (s *shiner) see(view display.View) {
	if sound := panel.Raised(s.view, view); sound != 0 {
		s.say(sound)
	}
	s.view = view
}

// say begins a sound. Only an irregularity interrupts another.
func (s *shiner) say(sound panel.Sound) {
	if sound != panel.Irregular && (s.buzzing || len(s.rest) > 0) {
		return
	}
	s.buzzing, s.rest = false, sound.Pattern()
	s.next()
}

// next continues the sound.
func (s *shiner) next() {
	if len(s.rest) == 0 {
		s.buzzing = false
		return
	}
	s.buzzing = !s.buzzing
	s.beat.Reset(s.rest[0])
	s.rest = s.rest[1:]
}

// set switches the outputs that are not as they should be.
func (s *shiner) set() {
	lights := panel.Light(s.view)
	if s.desk.mute.Load() && lights.Red == panel.Off {
		lights.Red = panel.Blink
	}
	if blinking := lights.Green == panel.Blink || lights.Amber == panel.Blink || lights.Red == panel.Blink ||
		lights.Floor == panel.Blink; blinking != s.blinking {
		s.blinking, s.bright = blinking, true
		s.blink.Reset(blinkHalf)
	}
	want := [outputs]bool{
		Green: s.lit(lights.Green), Amber: s.lit(lights.Amber), Red: s.lit(lights.Red),
		Buzzer: s.buzzing, Lock: lights.Locked, Floor: s.lit(lights.Floor),
	}
	for i, output := range s.desk.o.Signals {
		if want[output] == s.is[output] || s.broken[output] {
			continue
		}
		if err := s.desk.o.Board.Set(i, want[output]); err != nil {
			s.broken[output] = true
			s.desk.o.Log.Error("keys: an output cannot be switched, and stays as it is", "output", output.String(),
				"err", err)
			continue
		}
		s.is[output] = want[output]
	}
}

func (s *shiner) lit(l panel.Lamp) bool { return l == panel.On || l == panel.Blink && s.bright }
