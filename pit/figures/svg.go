package figures

import (
	"fmt"
	"html/template"
	"strings"
)

// The pictures that stand in the row of their numbers are stretched to the room that they have: shapes alone are drawn,
// with lines that keep their width, and all that is read is text of the page. Colours are the style sheet's, by class,
// since the page allows no style in the markup. Pictures over time are drawn in the browser (assets/charts.js).

// width is that of every picture, in its own units.
const width = 1000

func drawn(class string, height int, draw func(b *strings.Builder)) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class=%q viewBox="0 0 %d %d" preserveAspectRatio="none" focusable="false" aria-hidden="true">`, class,
		width, height)
	draw(&b)
	b.WriteString("</svg>")
	return template.HTML(b.String()) // made here of numbers and classes
}

func rect(b *strings.Builder, class string, x, y, w, h float64) {
	fmt.Fprintf(b, `<rect class=%q x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, x, y, max(w, 0), max(h, 0))
}

func line(b *strings.Builder, class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(b, `<path class=%q vector-effect="non-scaling-stroke" d="M%.1f %.1fL%.1f %.1f"/>`, class, x1,
		y1, x2, y2)
}

// dot is a line of no length with round ends: it stays round however the picture is stretched.
func dot(b *strings.Builder, class string, x, y float64) { line(b, class, x, y, x+.01, y) }

// bandPicture is the band of one wager, which lies in the same place in every row, and the dot of what was won.
func bandPicture(l *lucky, class string) template.HTML {
	const left, right, high = 250, 750, 40
	return drawn("band "+class, high, func(b *strings.Builder) {
		wide := l.Band.High - l.Band.Low
		at := func(won float64) float64 {
			if wide <= 0 {
				return (left + right) / 2
			}
			return min(max(left+(won-l.Band.Low)/wide*(right-left), 15), width-15)
		}
		line(b, "axis", 0, high/2, width, high/2)
		rect(b, "luck", left, 6, right-left, high-12)
		line(b, "expected", at(l.Band.Expected), 2, at(l.Band.Expected), high-2)
		dot(b, "ring", at(l.Verdict.Won), high/2)
		dot(b, "won", at(l.Verdict.Won), high/2)
	})
}

// barPicture is a bar of a value among others, the longest of which is most; mark is where all together are.
func barPicture(value, most, mark float64, class string) template.HTML {
	return drawn("bar "+class, 20, func(b *strings.Builder) {
		if most <= 0 {
			return
		}
		rect(b, "back", 0, 3, width, 14)
		rect(b, "fill", 0, 3, value/most*width, 14)
		if mark > 0 {
			line(b, "mark", mark/most*width, 0, mark/most*width, 20)
		}
	})
}

// spanPicture is a count with the bounds of its rate.
func spanPicture(value, low, high, most float64) template.HTML {
	return drawn("bar span", 20, func(b *strings.Builder) {
		if most <= 0 {
			return
		}
		rect(b, "back", 0, 3, width, 14)
		rect(b, "fill", 0, 3, value/most*width, 14)
		line(b, "mark", low/most*width, 10, min(high/most, 1)*width, 10)
	})
}
