package command

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/vocab"
)

const (
	// MostText and MostPerson are the longest message and the longest name of a person, in
	// characters.
	MostText   = 120
	MostPerson = 40
)

// check says what is wrong with a command.
func (c *Command) check() error {
	if int(c.What) >= len(rows) || c.What == 0 {
		return errors.New("it does not say what to do")
	}
	for _, list := range [][]field{common, rows[c.What].fields} {
		for i := range list {
			if f := &list[i]; f.number != nil && f.number(c) > f.most {
				return fmt.Errorf("%s is too large", f.name)
			}
		}
	}
	if _, err := topic.NewTable(c.Site, c.Table); err != nil {
		return err
	}
	return errors.Join(
		checkHex("session", c.Session), checkHex("id", c.ID), checkName("the pit", c.Pit),
		checkText("person", c.Person, MostPerson, plaintext.WrongName), c.checkOwn(),
	)
}

// checkOwn says what is wrong with the fields that only this What has.
func (c *Command) checkOwn() error {
	switch c.What {
	case Acknowledge:
		if c.Code == 0 || c.Code >= irregularity.Count {
			return errors.New("code is not an irregularity")
		}
	case Limits:
		if c.Min == 0 && c.BoxMax == 0 {
			return errors.New("limits need min or box_max")
		}
	case Message:
		return checkText("text", c.Text, MostText, plaintext.WrongWords)
	case Resend:
		if c.From == 0 || c.To != 0 && c.To < c.From {
			return errors.New("there is nothing between from and to; events are numbered from 1")
		}
	case AskFill, AskCredit, SlipApproved, SlipRefused, SlipSent, SlipReceived:
		return c.checkSlip()
	case Outcome:
		return checkHex("of", c.Of)
	}
	return nil
}

// The kinds of slips.
const (
	KindFill   = "fill"
	KindCredit = "credit"
)

// checkSlip says what is wrong with a fill or a credit.
func (c *Command) checkSlip() error {
	asks := c.What == AskFill || c.What == AskCredit
	if !asks && (c.Slip == 0 || c.Kind != KindFill && c.Kind != KindCredit) {
		return errors.New("it is of no slip: kind is fill or credit, and slips are numbered from 1")
	}
	if c.What == SlipRefused {
		return checkText("text", c.Text, MostText, plaintext.WrongWords)
	}
	if c.What == SlipApproved {
		return nil
	}
	list, err := vocab.ParseChips(c.Chips)
	if err == nil && len(list) == 0 {
		err = errors.New("chips names none")
	}
	return err
}

// checkName says what is wrong with the name of a key or of a pit, which are like a table's.
func checkName(what, name string) error {
	if _, err := topic.NewTable(name, name); err != nil {
		return fmt.Errorf("%s has no name of 1 to %d characters of a-z, 0-9, _ and -", what, topic.MaxName)
	}
	return nil
}

// checkHex says what is wrong with 128 bits in hexadecimal digits.
func checkHex(what, digits string) error {
	ok := len(digits) == 32
	for _, r := range digits {
		ok = ok && (r >= '0' && r <= '9' || r >= 'a' && r <= 'f')
	}
	if !ok {
		return fmt.Errorf("%s is not 32 digits of 0-9 and a-f", what)
	}
	return nil
}

// CheckPerson says what is wrong with a person's name.
func CheckPerson(name string) error {
	return checkText("the name", name, MostPerson, plaintext.WrongName)
}

// CheckText says what is wrong with the text of a Message.
func CheckText(text string) error { return checkText("the text", text, MostText, plaintext.WrongWords) }

// checkText says what is wrong with a text that is shown at the table, where it must show
// nothing but itself.
func checkText(what, text string, most int, wrong func(string) string) error {
	if n := utf8.RuneCountInString(text); n == 0 || n > most || !utf8.ValidString(text) {
		return fmt.Errorf("%s does not have 1 to %d characters in UTF-8", what, most)
	}
	if why := wrong(text); why != "" {
		return errors.New(what + strings.TrimPrefix(why, "it"))
	}
	return nil
}
