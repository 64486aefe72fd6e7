package devices

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
)

// watchShoe speaks with the shoe as the table does, but acknowledges nothing.
func watchShoe(c config.Shoe) (watched, error) {
	m, open, err := c.Open()
	if err != nil {
		return nil, err
	}
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tell teller) error {
		tapped := func(ctx context.Context) (device.Port, error) {
			port, err := open(ctx)
			if err != nil {
				return nil, err
			}
			tell("shoe", remark, "port "+port.String()+" is open")
			return device.Tap(port, heard(m, tell, bytesRead), heard(m, tell, bytesWritten)), nil
		}
		driver := m.Driver(shoe.Options{Open: tapped, Key: key, Baud: c.Baud, Watches: true, Log: saying(tell, "shoe")})
		return driver.Run(ctx, func(e shoe.Event) { tell("shoe", event, eventText(e)) })
	}, nil
}

// heard reports the bytes of one direction, and the frames in them.
func heard(m makes.Make, tell teller, direction kind) func([]byte) {
	feed := func([]byte) {}
	if m.Frames != nil {
		feed = m.Frames(func(f shoe.Frame) {
			text := f.Text
			if f.Err != nil {
				text = "damaged: " + f.Err.Error()
			}
			tell("shoe", frame, string(direction)+" "+terminal.Visible(text))
		})
	}
	return func(p []byte) {
		tell("shoe", direction, dump(p))
		feed(p)
	}
}

// dump writes bytes in hex and as characters, sixteen per line.
func dump(p []byte) string {
	const offset = len("00000000  ")
	var b strings.Builder
	for line := range strings.Lines(hex.Dump(p)) {
		b.WriteString(line[offset:])
	}
	return b.String()
}

// eventText describes a shoe's event in a line.
func eventText(e shoe.Event) string {
	text := e.Kind.String()
	if e.Card != card.None {
		text += " " + e.Card.String()
	}
	for _, more := range []string{e.Code, e.Shoe.Serial, e.Shoe.Firmware} {
		if more != "" {
			text += " " + more
		}
	}
	switch {
	case e.Kind == shoe.Gap && e.Unsure:
		text += ", perhaps"
	case e.Kind == shoe.Gap && e.Missing == 0:
		text += ", nobody knows how many are missing"
	case e.Kind == shoe.Gap:
		text += fmt.Sprintf(", %d missing", e.Missing)
	}
	if e.Position != (shoe.Position{}) {
		text += ", number " + e.Position.String()
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return terminal.Visible(text)
}
