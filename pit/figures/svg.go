package figures

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// The pictures are stretched to the room that they have: shapes alone are drawn, with lines that keep their width, and
// all that is read is text of the page. Colours are the style sheet's, by class, since the page allows no style in the
// markup.

// width is that of every picture, in its own units.
const width = 1000

func drawn(class string, height int, hidden bool, label string, draw func(b *strings.Builder)) template.HTML {
	var b strings.Builder
	about := ` aria-hidden="true"`
	if !hidden {
		about = ` role="img" aria-label="` + template.HTMLEscapeString(label) + `"`
	}
	fmt.Fprintf(&b, `<svg class=%q viewBox="0 0 %d %d" preserveAspectRatio="none" focusable="false"%s>`, class, width, height, about)
	draw(&b)
	b.WriteString("</svg>")
	return template.HTML(b.String()) // made here of numbers, classes and escaped texts
}

func rect(b *strings.Builder, class string, x, y, w, h float64) {
	fmt.Fprintf(b, `<rect class=%q x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, x, y, max(w, 0), max(h, 0))
}

func line(b *strings.Builder, class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(b, `<path class=%q vector-effect="non-scaling-stroke" d="M%.1f %.1fL%.1f %.1f"/>`, class, x1, y1, x2, y2)
}

// dot is a line of no length with round ends: it stays round however the picture is stretched.
func dot(b *strings.Builder, class string, x, y float64) { line(b, class, x, y, x+.01, y) }

// bandPicture is the band of one wager, which lies in the same place in every row, and the dot of what was won.
func bandPicture(l *lucky, class string) template.HTML {
	const left, right, high = 250, 750, 40
	return drawn("band "+class, high, true, "", func(b *strings.Builder) {
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
		dot(b, "ring", at(l.Won), high/2)
		dot(b, "won", at(l.Won), high/2)
	})
}

// barPicture is a bar of a value among others, the longest of which is most; mark is where all together are.
func barPicture(value, most, mark float64, class string) template.HTML {
	return drawn("bar "+class, 20, true, "", func(b *strings.Builder) {
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
	return drawn("bar span", 20, true, "", func(b *strings.Builder) {
		if most <= 0 {
			return
		}
		rect(b, "back", 0, 3, width, 14)
		rect(b, "fill", 0, 3, value/most*width, 14)
		line(b, "mark", low/most*width, 10, min(high/most, 1)*width, 10)
	})
}

// hoursHigh is how high the pictures over time are.
const hoursHigh = 200

// columns are values over time, each leading somewhere for who has a mouse; the table below leads there for everybody.
func columns(values []float64, most float64, links, titles []string) template.HTML {
	return drawn("columns", hoursHigh, true, "", func(b *strings.Builder) {
		for i := 1; i < 4; i++ {
			line(b, "grid", 0, float64(i*hoursHigh/4), width, float64(i*hoursHigh/4))
		}
		wide := width / float64(max(len(values), 1))
		for i, v := range values {
			h := 0.0
			if most > 0 {
				h = v / most * hoursHigh
			}
			fmt.Fprintf(b, `<a href="%s" tabindex="-1"><title>%s</title>`, template.HTMLEscapeString(links[i]), template.HTMLEscapeString(titles[i]))
			rect(b, "reach", float64(i)*wide, 0, wide, hoursHigh)
			rect(b, "fill", float64(i)*wide+wide*.12, hoursHigh-h, wide*.76, h)
			b.WriteString("</a>")
		}
		line(b, "axis", 0, hoursHigh, width, hoursHigh)
	})
}

// scale are the round numbers at a picture's edge.
type scale struct{ low, high, step float64 }

// scaleOf takes in all values, and nought.
func scaleOf(values ...float64) scale {
	s := scale{}
	for _, v := range values {
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
	if s.high == s.low {
		s.high = 1
	}
	rough := (s.high - s.low) / 4
	s.step = math.Pow(10, math.Floor(math.Log10(rough)))
	for _, n := range []float64{2, 2.5, 5, 10} {
		if s.step >= rough {
			break
		}
		s.step = n * math.Pow(10, math.Floor(math.Log10(rough)))
	}
	s.low, s.high = math.Floor(s.low/s.step)*s.step, math.Ceil(s.high/s.step)*s.step
	return s
}

func (s scale) marks() (list []float64) {
	for v := s.high; v >= s.low-s.step/2; v -= s.step {
		list = append(list, v)
	}
	return list
}

func (s scale) y(v float64) float64 { return (s.high - v) / (s.high - s.low) * hoursHigh }

// coursePicture is the result of one wager over time in its band.
func coursePicture(points []point, s scale, label string) template.HTML {
	return drawn("course", hoursHigh, false, label, func(b *strings.Builder) {
		for _, v := range s.marks() {
			line(b, "grid", 0, s.y(v), width, s.y(v))
		}
		x := func(i int) float64 { return float64(i+1) / float64(len(points)) * width }
		start := fmt.Sprintf("0 %.1f", s.y(0))
		path := func(of func(*point) float64) string {
			var d strings.Builder
			for i := range points {
				fmt.Fprintf(&d, "L%.1f %.1f", x(i), s.y(of(&points[i])))
			}
			return d.String()
		}
		back := make([]string, 0, len(points))
		for i := range points {
			back = append([]string{fmt.Sprintf("L%.1f %.1f", x(i), s.y(points[i].Band.Low))}, back...)
		}
		fmt.Fprintf(b, `<path class="luck" d="M%s%s%sZ"/>`, start, path(func(p *point) float64 { return p.Band.High }), strings.Join(back, ""))
		for _, one := range []struct {
			class string
			of    func(*point) float64
		}{
			{"edge", func(p *point) float64 { return p.Band.High }},
			{"edge", func(p *point) float64 { return p.Band.Low }},
			{"expected", func(p *point) float64 { return p.Band.Expected }},
			{"won", func(p *point) float64 { return p.Won }},
		} {
			fmt.Fprintf(b, `<path class=%q vector-effect="non-scaling-stroke" d="M%s%s"/>`, one.class, start, path(one.of))
		}
		line(b, "axis", 0, s.y(0), width, s.y(0))
		last := points[len(points)-1]
		dot(b, "ring", width-4, s.y(last.Won))
		dot(b, "dot", width-4, s.y(last.Won))
	})
}
