package command

import (
	"crypto/ed25519"
	"encoding/hex"
	"strconv"
)

// title begins the signed bytes, so that no key signs anything else by the same bytes.
const title = "sabot-command/1 "

// Seal signs a command with the key of that name, and returns the message's payload. A command
// that no table would read is an error.
func Seal(c Command, keyName string, key ed25519.PrivateKey) ([]byte, error) {
	if err := checkName("the key", keyName); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	signed := append(append([]byte(title), keyName...), '\n')
	signed = appendCommand(signed, &c)
	payload := hex.AppendEncode(nil, ed25519.Sign(key, signed))
	return append(append(payload, '\n'), signed...), nil
}

// appendCommand writes a command as the only JSON text that a table reads for it.
func appendCommand(dst []byte, c *Command) []byte {
	dst = append(dst, '{')
	for _, list := range [][]field{common, rows[c.What].fields} {
		for i := range list {
			dst = list[i].append(dst, c)
		}
	}
	return append(dst, '}')
}

func (f *field) append(dst []byte, c *Command) []byte {
	if f.optional && f.number(c) == 0 {
		return dst
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(append(append(dst, '"'), f.name...), `":`...)
	if f.number != nil {
		return strconv.AppendUint(dst, f.number(c), 10)
	}
	return appendText(dst, f.text(c))
}

// appendText writes a text. Only two characters are escaped: no text has control characters.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
