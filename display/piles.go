package display

import "slices"

// Pile is what lies beside a box's hands for one wager.
type Pile struct {
	// Name is the wager's, with what it won with.
	Name  string
	Lines []Line
}

// Piles sorts lines by their wagers, in the order in which each comes first.
func (l Language) Piles(lines []Line) []Pile {
	piles := make([]Pile, 0, len(lines))
	for nth, line := range lines {
		name := l.WagerName(line)
		if with := l.WonWith(line); with != "" {
			name += " – " + with
		}
		i := slices.IndexFunc(piles, func(p Pile) bool { return p.Name == name })
		if i < 0 {
			i = len(piles)
			piles = append(piles, Pile{Name: name})
		}
		piles[i].Lines = also(piles[i].Lines, lines, nth)
	}
	return piles
}

// Together counts the stakes of a pile that are open, or lost, as one line each,
// for where there is little room: for neither must a dealer know whose they are.
// What is paid or given back keeps its name.
func (l Language) Together(p Pile) Pile {
	all := Pile{Name: p.Name}
	for _, move := range []Move{Open, Take, Leave, Return, Pay} {
		alike := ofMove(p.Lines, move)
		if len(alike) > 1 && (move == Open || move == Take) {
			alike = []Line{l.counted(alike)}
		}
		all.Lines = append(all.Lines, alike...)
	}
	return all
}

// ofMove picks the lines with one move.
func ofMove(lines []Line, m Move) []Line {
	var some []Line
	for _, line := range lines {
		if line.Move == m {
			some = append(some, line)
		}
	}
	return some
}

// counted is one line for several: so many guests with so much in all.
func (l Language) counted(lines []Line) Line {
	one := lines[0]
	one.Bettor = l.Count("guests", len(lines))
	one.Holder = false
	for _, line := range lines[1:] {
		if one.Amount == Unstated || line.Amount == Unstated {
			one.Amount = Unstated
		} else {
			one.Amount += line.Amount
		}
	}
	return one
}
