package web

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
)

var (
	drawFelt   = site.Compile[feltModel](pages, "felt")
	drawShapes = site.Compile[[]faceModel](pages, "shapes")
)

// feltModel are the bank and the boxes, and nothing that is touched.
type feltModel struct {
	Bank  bankModel
	Boxes []boxModel
	Count int
}

// Felt draws the bank and the boxes of a view as the table's page has them, for a page beside it that only looks. That
// page has assets/display.css, and once Shapes.
func Felt(l display.Language, v display.View) []byte {
	r := renderer{language: l}.in(v.House)
	return drawFelt(nil, r.language, r.felt(v))
}

func (r renderer) felt(v display.View) *feltModel {
	r.hands = false // it is only looked at
	m := &feltModel{Bank: r.bank(v), Count: len(v.Boxes)}
	for i := range v.Boxes {
		m.Boxes = append(m.Boxes, r.box(v, i))
	}
	return m
}

// Shapes are the shapes of cards and chips that a felt refers to.
func Shapes() []byte { return drawShapes(nil, display.English, &deck) }
