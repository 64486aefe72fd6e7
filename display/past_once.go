package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
)

// Once is a told round as it is put on paper: each card once. A correction tells the whole round again; what it leaves
// as it was stands where it was told first, and beside a card that it changes stands what holds instead, with who
// corrected it. A STOP that the record repeats while it stands is there once, with how often.
func Once(told []Told) []Told {
	var list []Told
	for i := range told {
		one := &told[i]
		said := func(was Told) bool {
			return !was.Back && was.Box == one.Box &&
				(was.Text == one.stands || strings.HasPrefix(was.Text, one.stands+" – "))
		}
		if one.stands == "" || !slices.ContainsFunc(told[:i], said) {
			list = append(list, *one)
		}
	}
	for at := 0; at < len(list); at++ {
		if seq := list[at].Seq; list[at].Kind == ToldRight && slices.ContainsFunc(list, func(one Told) bool {
			return one.backIn == seq && isCard(&one)
		}) {
			list = beside(list, seq)
		}
	}
	return stops(together(list))
}

func isCard(one *Told) bool { return one.Kind == ToldCard && one.Card != card.None }

// beside puts what the correction of a record tells of cards where these were drawn.
func beside(list []Told, correction uint64) []Told {
	var was, is []int
	for i := range list {
		switch {
		case !isCard(&list[i]):
		case list[i].backIn == correction:
			was = append(was, i)
		case list[i].Seq == correction:
			is = append(is, i)
		}
	}
	p := placing{list: list, after: make(map[int][]Told), gone: make(map[int]bool)}
	p.say = slices.IndexFunc(list, func(one Told) bool {
		return one.Seq == correction && one.Kind == ToldRight && !isCard(&one)
	})
	last := -1
	if len(was) > 0 {
		last = was[0] - 1
	}
	for _, pair := range pairs(list, was, is) {
		switch {
		case pair.was < 0:
			p.moves(last, pair.is)
		case pair.is < 0:
			last = pair.was
			p.putAfter(last, nil)
		case sameCard(&list[pair.was], &list[pair.is]):
			last = pair.was
			p.joins(last, pair.is)
		default:
			last = pair.was
			p.moves(last, pair.is)
		}
	}
	return p.once()
}

// placing is a list of which some lines come to stand beside others.
type placing struct {
	list  []Told
	after map[int][]Told // what comes to stand after a line of the list, -1 for before all of them
	gone  map[int]bool   // lines that stand elsewhere now
	say   int            // the line that says what was corrected, -1 for none
	told  bool           // whether it was said
}

// putAfter has a line stand after another one, and with the first of them what was corrected. Without a line only that
// is said, unless it was.
func (p *placing) putAfter(at int, one *Told) {
	says := !p.told && p.say >= 0
	var added Told
	switch {
	case one != nil && says:
		added = *one
		added.Text = join(one.Text, "–", p.list[p.say].Text)
	case one != nil:
		added = *one
	case says:
		added = p.list[p.say]
	default:
		return
	}
	if p.say >= 0 {
		p.told, p.gone[p.say] = true, true
	}
	p.after[at] = append(p.after[at], added)
}

// moves has a line of the list stand after another one.
func (p *placing) moves(at, is int) {
	p.putAfter(at, &p.list[is])
	p.gone[is] = true
}

// joins makes one line of a card that is the same before and after.
func (p *placing) joins(was, is int) {
	one, again := &p.list[was], &p.list[is]
	if one.Text != again.Text {
		one.Text = join(one.Text, "→", again.Text)
	}
	one.Back, one.backIn = again.Back, again.backIn
	p.gone[is] = true
}

// once is the list with each line in its place.
func (p *placing) once() []Told {
	list := append(make([]Told, 0, len(p.list)), p.after[-1]...)
	for i := range p.list {
		if !p.gone[i] {
			list = append(list, p.list[i])
		}
		list = append(list, p.after[i]...)
	}
	return list
}

// sameCard says whether a correction has left a card where it lay. What its hand counts may be another total.
func sameCard(a, b *Told) bool { return a.Card == b.Card && a.Where == b.Where }

// paired is a card as it was told and as it is told again, -1 where there is none.
type paired struct{ was, is int }

// pairs sets the cards that were told beside those that are told again, so that as few as possible differ.
func pairs(list []Told, was, is []int) (all []paired) {
	common := make([][]int, len(was)+1) // how many stay as they were, from each pair on
	for i := range common {
		common[i] = make([]int, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for k := len(is) - 1; k >= 0; k-- {
			if common[i][k] = max(common[i+1][k], common[i][k+1]); sameCard(&list[was[i]], &list[is[k]]) {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	i, k := 0, 0
	for i < len(was) || k < len(is) {
		switch {
		case i == len(was):
			all, k = append(all, paired{-1, is[k]}), k+1
		case k == len(is):
			all, i = append(all, paired{was[i], -1}), i+1
		case sameCard(&list[was[i]], &list[is[k]]) || common[i+1][k+1] == common[i][k]:
			all, i, k = append(all, paired{was[i], is[k]}), i+1, k+1
		case common[i+1][k] == common[i][k]:
			all, i = append(all, paired{was[i], -1}), i+1
		default:
			all, k = append(all, paired{-1, is[k]}), k+1
		}
	}
	return all
}

// together puts how a card was put right into the line of that card, which is not named again where its STOP has named
// it.
func together(list []Told) []Told {
	once := list[:0]
	stopped := card.None
	for i := 0; i < len(list); i++ {
		one := list[i]
		if one.Kind == ToldStop && one.Card != card.None {
			stopped = one.Card
		}
		if right := one; right.Kind == ToldRight && !right.Back && i+1 < len(list) && list[i+1].Seq == right.Seq &&
			isCard(&list[i+1]) {
			i++
			if one = list[i]; one.Card == stopped {
				one.Card = card.None
			}
			one.Text, stopped = join(one.Text, "–", right.Text), card.None
		}
		once = append(once, one)
	}
	return once
}

// stops leaves a STOP of the whole table out that was told already, and that nobody had put right by then.
func stops(list []Told) []Told {
	type stop struct{ first, times int }
	standing := map[string]*stop{}
	once := list[:0]
	for _, one := range list {
		if one.Kind == ToldRight {
			clear(standing)
		}
		if one.Kind != ToldStop || one.Box != 0 || one.Card != card.None || one.Back {
			once = append(once, one)
			continue
		}
		was := standing[one.Text]
		if was == nil {
			standing[one.Text] = &stop{len(once), 1}
			once = append(once, one)
			continue
		}
		was.times++
		once[was.first].Text = one.Text + " ×" + strconv.Itoa(was.times) + " – " + one.Time
	}
	return once
}
