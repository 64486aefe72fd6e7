package site

import (
	"net"
	"net/netip"
)

// placeOfIP is what a network address counts as: one machine may have a whole IPv6 network of 64 bits to itself.
func placeOfIP(ip netip.Addr) netip.Prefix {
	ip = ip.Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	place, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{} // no address has no place
	}
	return place
}

// PlaceOf is what an address counts as that net/http says, with or without a port; of anything else it is the zero
// value.
func PlaceOf(address string) netip.Prefix {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}
	}
	return placeOfIP(ip)
}

var loopback4, loopback6 = netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()

// ownConn says whether a connection comes from this very computer: from the loopback address with which its programs
// ask for anything on it, or from the address that was asked. No packet of the network has either as its source: the
// kernel drops it. Other addresses of 127.0.0.0/8 count as places of the network, so that tests have many of these. A
// connection without addresses, such as a pipe, is this computer's own.
func ownConn(c net.Conn) bool { return ownEnds(c.RemoteAddr(), c.LocalAddr()) }

// ownEnds is ownConn for a connection between two addresses.
func ownEnds(from, to net.Addr) bool {
	remote, known := ipOf(from)
	if !known {
		return true
	}
	local, _ := ipOf(to)
	return remote == loopback4 || remote == loopback6 || remote == local
}

func ipOf(a net.Addr) (netip.Addr, bool) {
	tcp, is := a.(*net.TCPAddr)
	if !is {
		return netip.Addr{}, false
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	return ip, ip.IsValid()
}
