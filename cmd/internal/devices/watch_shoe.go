package devices

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/sabot"
)

// watchedShoe is how a driver's line is shown.
type watchedShoe struct {
	// open makes the driver of a shoe on a port.
	open func(device.Opener, *slog.Logger) shoe.Shoe
	// frames returns what finds the frames in the bytes of one direction, and tells each
	// in a line of text; nil for a language without frames.
	frames func(tell func(text string)) (feed func([]byte))
}

// watchedShoes are the drivers, by the name in the configuration.
var watchedShoes = map[string]watchedShoe{
	config.Sabot: {
		open: func(open device.Opener, log *slog.Logger) shoe.Shoe {
			return sabot.New(sabot.Options{Open: open, Log: log})
		},
		frames: sabotFrames,
	},
	config.BeeTek: {
		open: func(open device.Opener, log *slog.Logger) shoe.Shoe { return beetek.New(open, log) },
	},
	config.AngelEye: {
		open: func(open device.Opener, log *slog.Logger) shoe.Shoe {
			return angeleye.New(angeleye.Options{Open: open, Log: log})
		},
	},
}

func sabotFrames(tell func(text string)) func([]byte) {
	var decoder wire.Decoder
	return func(p []byte) {
		decoder.Feed(p, func(m wire.Message, err error) {
			if err != nil {
				tell("damaged: " + err.Error())
				return
			}
			tell(m.String())
		})
	}
}

// watchShoe speaks with the shoe as the table does, but acknowledges nothing.
func watchShoe(c config.Shoe) (watched, error) {
	driver, known := watchedShoes[c.Driver]
	if !known {
		return nil, fmt.Errorf("the shoe's driver %s cannot be watched", c.Driver)
	}
	address, err := device.ParseAddress(c.Port)
	if err != nil {
		return nil, err
	}
	open, err := device.NewOpener(address, device.Settings{Baud: c.Speed()})
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
			return device.Tap(port, driver.heard(tell, bytesRead), driver.heard(tell, bytesWritten)), nil
		}
		return driver.open(tapped, saying(tell, "shoe")).Run(ctx, func(e shoe.Event) { tell("shoe", event, eventText(e)) })
	}, nil
}

// heard tells the bytes of one direction, and the frames in them.
func (w watchedShoe) heard(tell teller, direction kind) func([]byte) {
	feed := func([]byte) {}
	if w.frames != nil {
		feed = w.frames(func(text string) { tell("shoe", frame, string(direction)+" "+text) })
	}
	return func(p []byte) {
		tell("shoe", direction, dump(p))
		feed(p)
	}
}

// dump writes bytes in hex and as characters, sixteen a line.
func dump(p []byte) string {
	const offset = len("00000000  ")
	var b strings.Builder
	for line := range strings.Lines(hex.Dump(p)) {
		b.WriteString(line[offset:])
	}
	return b.String()
}

// eventText says what a shoe told, in a line.
func eventText(e shoe.Event) string {
	text := e.Kind.String()
	if e.Card != card.None {
		text += " " + e.Card.String()
	}
	if e.Code != "" {
		text += " " + e.Code
	}
	if e.Kind == shoe.Gap {
		text += fmt.Sprintf(", %d missing", e.Missing)
	}
	if e.Position != (shoe.Position{}) {
		text += ", number " + e.Position.String()
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}
