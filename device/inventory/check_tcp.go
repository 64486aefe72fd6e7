package inventory

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/device"
)

// answerWithin is how long a converter across the network may take to answer.
const answerWithin = 3 * time.Second

// dial connects to a port across the network and hangs up at once.
func dial(a device.Address) error {
	open, err := device.NewOpener(a, device.Settings{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	port, err := open(ctx)
	if err != nil {
		return err
	}
	return port.Close()
}

// server checks a port across the network. A program of this machine that is connected to it has shown that it is
// served, and must not be disturbed: a converter may give a second caller what the shoe reports.
func (c *checker) server(key string, a device.Address) {
	sockets, connected := c.source.connections(a)
	if connected {
		users := c.source.holders()
		for _, socket := range sockets {
			for _, p := range users.byPath[socket] {
				c.heldBy(key, a.String(), p)
			}
		}
		return
	}
	err := c.source.Dial(a)
	if err == nil {
		return
	}
	what, do := err.Error(), "check the address"
	if e, ok := errors.AsType[*device.Error](err); ok {
		what, do = fmt.Sprintf("nobody answers at %s: %v", a, e.Err), e.Hint
	}
	c.addFault(key, what, do)
}

// connections lists the sockets of this machine's connections to a port across the network, as links in /proc name
// them.
func (s Source) connections(a device.Address) (sockets []string, connected bool) {
	host, port, err := net.SplitHostPort(strings.TrimPrefix(a.String(), "tcp://"))
	if err != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	hosts, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host) // asks nobody about a number
	if err != nil {
		return nil, false
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		for line := range strings.Lines(s.text(table)) {
			// 0: 0F02000A:A3B4 0700000A:0FA1 01 00000000:00000000 00:00000000 00000000 1000 0 31244 1 …
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "01" {
				continue // the heading, or a socket that is not connected
			}
			far, ok := kernelAddress(f[2])
			if ok && strconv.Itoa(int(far.Port())) == port && slices.ContainsFunc(hosts, func(h netip.Addr) bool {
				return h.Unmap() == far.Addr()
			}) {
				sockets, connected = append(sockets, "socket:["+f[9]+"]"), true
			}
		}
	}
	return sockets, connected
}

// kernelAddress reads an address as the kernel lists it: words of 32 bits in the machine's order, and the port, in hex.
func kernelAddress(text string) (netip.AddrPort, bool) {
	digits, portText, _ := strings.Cut(text, ":")
	port, err := strconv.ParseUint(portText, 16, 16)
	if err != nil || len(digits) != 8 && len(digits) != 32 {
		return netip.AddrPort{}, false
	}
	var at []byte
	for ; digits != ""; digits = digits[8:] {
		word, err := strconv.ParseUint(digits[:8], 16, 32)
		if err != nil {
			return netip.AddrPort{}, false
		}
		at = binary.NativeEndian.AppendUint32(at, uint32(word))
	}
	host, ok := netip.AddrFromSlice(at)
	return netip.AddrPortFrom(host.Unmap(), uint16(port)), ok
}
