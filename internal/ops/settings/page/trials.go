package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// port is a port that something is plugged into.
type port struct {
	Address string `json:"address"`
	Name    string `json:"name"`
}

// ports lists what is plugged in, now.
func (p *page) ports(context.Context, given) answer {
	system := inventory.System()
	m, err := inventory.Read(system, system.Current(), false)
	if err != nil {
		return wrong(err)
	}
	var said answer
	for _, one := range m.Serial {
		if one.Console {
			continue
		}
		name := one.Address
		if one.Name != "" {
			name = one.Name + " – " + one.Path
		}
		said.Ports = append(said.Ports, port{one.Address, name})
	}
	return said
}

// How long a card is waited for, and a broker.
const cardTime, brokerTime = 30 * time.Second, 5 * time.Second

// draw waits for one card of the shoe that was answered. The shoe forgets it: it is no card of a round.
func (p *page) draw(ctx context.Context, g given) (said answer) {
	c, err := p.with(g.Answers)
	if err != nil {
		return wrong(err)
	}
	err = p.one(ctx, cardTime, func(ctx context.Context) (err error) {
		said.Card, err = p.firstCard(ctx, c.Shoe)
		return err
	})
	if said.Card != "" {
		return said
	}
	return wrong(err)
}

// firstCard takes a card of a shoe. Whoever opens the shoe next has to know that it was taken.
func (p *page) firstCard(ctx context.Context, s config.Shoe) (name string, err error) {
	m, open, err := s.Open()
	if err != nil {
		return "", err
	}
	key, err := s.Key()
	if err != nil {
		return "", err
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	why := errors.New("the port was opened, and no shoe answered: look at its cable, its make and its speed")
	driver := m.Driver(shoe.Options{Open: open, Stored: p.stored(), Key: key, Baud: s.Baud, Log: p.Log})
	err = driver.Run(ctx, func(e shoe.Event) {
		switch {
		case name != "":
		case e.Card != card.None:
			name = e.Card.String()
			p.Tried(e.Position)
			driver.Stored(e.Position)
			time.AfterFunc(500*time.Millisecond, done) // the shoe hears that the card is taken
		case e.Kind == shoe.Up:
			why = errors.New("the shoe answers, and no card was drawn")
		case e.Err != nil:
			why = e.Err
		}
	})
	if name != "" {
		return name, nil
	}
	if ctx.Err() == nil {
		return "", err
	}
	return "", why
}

// broker connects to the broker that was answered, under a name of its own, and leaves again.
func (p *page) broker(ctx context.Context, g given) answer {
	c, err := p.with(g.Answers)
	if err != nil {
		return wrong(err)
	}
	if said, may := p.may(ctx, g, p.triesBroker(g, c)); !may {
		return said // nobody tries addresses who may not change them; what is saved is tried by the table
	}
	password, err := p.password(g, c)
	if err != nil {
		return wrong(err)
	}
	if password != "" && configfile.InClear(c.MQTT.Broker) && !c.MQTT.PasswordInClear {
		return wrong(fmt.Errorf("%s; %s", configfile.InClearWhat, configfile.InClearHint))
	}
	dialler, err := transport.New(transport.Config{
		Broker: c.MQTT.Broker, Username: c.MQTT.Username, Password: password, CAFile: c.MQTT.CAFile,
		CA:       []byte(g.textOf("mqtt.ca_file")),
		ClientID: "sabot-" + c.Site + "-" + c.Table + "-try",
	})
	if err != nil {
		return wrong(err)
	}
	err = p.one(ctx, brokerTime, func(ctx context.Context) error {
		for { // each of a list
			conn, err := dialler.Connect(ctx, nil)
			if err != nil {
				return err
			}
			conn.Part()
			if !dialler.Next() {
				return nil
			}
		}
	})
	if err == nil {
		return answer{}
	}
	return unreached(dialler, err)
}

// password is the one that was answered, or else the one that is kept: only for the broker, the user and the authority
// for which it is, so that no other one is told it.
func (p *page) password(g given, tried config.Config) (string, error) {
	if slices.ContainsFunc(g.Answers, func(a settings.Answer) bool { return a.Key == passwordKey }) {
		return g.textOf(passwordKey), nil
	}
	kept, err := p.with(nil)
	if err != nil {
		return "", err
	}
	secret, err := settings.FieldOf(passwordKey)
	if err != nil || !settings.Same(secret, kept, tried) || g.textOf("mqtt.ca_file") != "" {
		return "", err
	}
	return kept.MQTT.Password()
}

const passwordKey = "mqtt.password_file"

// textOf is the answer to a key, "" for none.
func (g given) textOf(key string) (text string) {
	for _, a := range g.Answers {
		if a.Key == key {
			text = a.Text
		}
	}
	return text
}

// pressTime is how long a press is waited for; the page then asks again.
const pressTime = 20 * time.Second

// press waits for a press of a key, and says on which line it came. Lines that the file gives to something are left
// alone.
func (p *page) press(ctx context.Context, g given) (said answer) {
	if said, may := p.may(ctx, g, p.triesKeys(g)); !may {
		return said
	}
	c, err := p.with(nil)
	if err != nil {
		return wrong(err)
	}
	wiring, err := paneldriver.WiringOf(c)
	if err != nil {
		return wrong(err)
	}
	err = p.one(ctx, pressTime, func(ctx context.Context) (err error) {
		said.Line, err = p.Pressed(ctx, slices.Concat(wiring.Inputs, wiring.Outputs))
		return err
	})
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return answer{} // another trial was under way all the time
	}
	if err != nil {
		return wrong(err)
	}
	return said
}

// pressedHere listens to this computer's own lines.
func pressedHere(ctx context.Context, others []gpio.Line) (line string, err error) {
	system := inventory.System()
	m, err := inventory.Read(system, system.Current(), false)
	if err != nil {
		return "", err
	}
	return inventory.AwaitPress(ctx, inventory.LinesForKeys(m.GPIO, others), inventory.OpenKeys)
}

// stored is where the shoe was after the last card that was tried.
func (p *page) stored() []shoe.Position {
	if last := p.Last(); last != (shoe.Position{}) {
		return []shoe.Position{last}
	}
	return nil
}
