package term

import "strings"

// style is how a line is emphasised where colours are allowed.
type style string

const (
	plain   style = ""
	bold    style = "1"
	due     style = "1;33"
	stopped style = "1;37;41"
)

// painter collects lines that fit on the screen.
type painter struct {
	screen Screen
	out    []string
}

// line adds a line: a mark, then a text in a style. A text that is too long is cut, visibly.
// Whatever is in the text is on this line and steers nothing: the view may come from anybody.
func (p *painter) line(mark string, st style, text string) {
	s := strings.TrimRight(cut(safe(mark+text), p.screen.Width), " ")
	if p.screen.Colour && st != plain {
		s = "\x1b[" + string(st) + "m" + s + "\x1b[0m"
	}
	p.out = append(p.out, s)
}

func (p *painter) rule() {
	p.out = append(p.out, strings.Repeat("─", p.screen.Width))
}

// items adds texts one after another, after a head, in as many lines as they need.
func (p *painter) items(st style, head string, items []string) {
	at := head
	fresh := true // nothing after the head or the indent yet
	for _, it := range items {
		gap := "  "
		if fresh {
			gap = ""
		}
		if !fresh && columns(at)+columns(gap)+columns(it) > p.screen.Width {
			p.line("", st, at)
			at, gap = strings.Repeat(" ", cardsAt), ""
		}
		at += gap + it
		fresh = false
	}
	p.line("", st, at)
}
