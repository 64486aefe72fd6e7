package scenario

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// Told is called with each step once it has happened, and the card that it drew, None for none.
type Told func(s Step, c card.Card)

// Play plays a scenario. It returns ctx's error, or which step failed, and why.
func (s Scenario) Play(ctx context.Context, on Hardware, told Told) error {
	if told == nil {
		told = func(Step, card.Card) {}
	}
	p := player{ctx: ctx, on: on, told: told, chance: rand.New(rand.NewPCG(s.Seed, 0x5CE))}
	return p.all(s.Steps)
}

// Do plays one step.
func (s Step) Do(ctx context.Context, on Hardware, told Told) error {
	return Scenario{Steps: []Step{s}}.Play(ctx, on, told)
}

type player struct {
	ctx    context.Context
	on     Hardware
	told   Told
	chance *rand.Rand
	taken  card.Card // by the current step
}

func (p *player) all(steps []Step) error {
	for i := range steps {
		if err := p.step(&steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) step(s *Step) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.taken = card.None
	err := verbs[s.Verb].do(p, s)
	switch {
	case err == nil:
		if !s.holdsSteps() {
			p.tell(s)
		}
		return nil
	case p.ctx.Err() != nil || s.Line == 0:
		return err
	default:
		return fmt.Errorf("line %d of the scenario, %s: %w", s.Line, s.Verb, err)
	}
}

// tell reports a step; cards that one step draws are reported one by one.
func (p *player) tell(s *Step) {
	one := *s
	if s.Verb == "draw" {
		one.Count, one.Every = 0, 0
	}
	p.told(one, p.taken)
}

// holdsSteps says whether the step consists of other steps.
func (s *Step) holdsSteps() bool { return s.Verb == repeat || s.Verb == random }

// note records which card was drawn.
func (p *player) note(c card.Card) { p.taken = c }

// draw draws one card, or several, each of which is reported.
func (p *player) draw(s *Step) error {
	if s.Card != card.None {
		p.note(s.Card)
		return p.on.Shoe.DrawCard(s.Card)
	}
	for i := range max(s.Count, 1) {
		if i > 0 {
			p.tell(s)
		}
		c, err := p.on.Shoe.Draw()
		if err != nil {
			return err
		}
		p.note(c)
		if s.Every > 0 {
			if err := p.patient(s.Every); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *player) foreign(s *Step) error {
	p.note(s.Card)
	return p.on.Shoe.DrawForeign(s.Card)
}

func (p *player) pull(s *Step) error {
	if s.Count > 0 {
		return p.on.Shoe.PullAfter(s.Count)
	}
	return p.on.Shoe.Unplug()
}

func (p *player) line(s *Step) error {
	return p.on.Shoe.Cable(func(to, from *shoesim.BadLine, _ time.Duration) {
		if s.To != FromHost {
			to.Set(s.Rates)
		}
		if s.To != ToHost {
			from.Set(s.Rates)
		}
	})
}

func (p *player) hang(s *Step) error {
	return p.on.Shoe.Cable(func(to, from *shoesim.BadLine, now time.Duration) {
		to.Hang(now + s.For)
		from.Hang(now + s.For)
	})
}

func (p *player) drip(s *Step) error {
	return p.on.Shoe.Cable(func(to, _ *shoesim.BadLine, _ time.Duration) { to.Drip(s.For) })
}

func (p *player) speed(s *Step) error {
	return p.on.Shoe.Cable(func(to, from *shoesim.BadLine, _ time.Duration) {
		to.Speed(s.Speeds[0], s.Speeds[1])
		from.Speed(s.Speeds[1], s.Speeds[0])
	})
}

func (p *player) wait(s *Step) error { return p.patient(s.For) }

func (p *player) repeat(s *Step) error {
	for range s.Count {
		if err := p.all(s.Steps); err != nil {
			return err
		}
	}
	return nil
}

// random does what chance has chosen, with the shoe and the keys that exist. It reloads an empty shoe, and skips what
// the shoe cannot do, or does not do while it is locked.
func (p *player) random(s *Step) error {
	for range s.Count {
		for _, step := range p.choose() {
			step.Line = s.Line
			err := p.step(&step)
			if errors.Is(err, shoesim.ErrEmpty) {
				err = p.on.Shoe.Reload()
			}
			if err != nil && !errors.Is(err, shoesim.ErrLocked) && !errors.Is(err, shoesim.ErrNoSuch) {
				return err
			}
		}
	}
	return nil
}

func (p *player) choose() []Step {
	if len(p.on.Keys) > 0 && (p.on.Shoe == nil || p.chance.IntN(2) == 0) {
		return RandomKeys(p.chance, p.on.Keys)
	}
	return Random(p.chance)
}

// patient waits, unless ctx ends first.
func (p *player) patient(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}
