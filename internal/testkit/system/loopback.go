// Package system is what a computer gives a program that is tested: addresses on which nobody listens, the socket of a
// service manager, and a user without privileges.
package system

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// Linux gives the port 0 a port above these, so that nobody comes by one of them by chance. The pages' tests have those
// above 30000.
const firstPort, ports = 10000, 20000

// given counts the ports that were looked at. Processes begin at different ones.
var given atomic.Uint32

func init() { given.Store(uint32(os.Getpid()) * 64) }

// Address returns an address on which nothing listens, and whose port no other process is given before this one ends: a
// program that is started for it, or started again, finds it free. "127.0.0.1:0" does not promise that: once such a
// listener is closed, the kernel may give its port to the next.
func Address(t testing.TB) string {
	t.Helper()
	for range ports {
		port := fmt.Sprint(firstPort + given.Add(1)%ports)
		if !reserve(port) {
			continue
		}
		if isFree(t, port) {
			return net.JoinHostPort(host(), port)
		}
	}
	t.Fatalf("none of the ports from %d to %d is free", firstPort, firstPort+ports-1)
	return ""
}

// isFree looks whether nothing listens on a port, on all hosts, for programs that will listen on all of them.
func isFree(t testing.TB, port string) bool {
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		return false
	}
	if err := Close(listener); err != nil {
		t.Fatal(err)
	}
	return true
}

// Close closes a listener, and one can listen on its address again at once. Closing alone does not promise that: a
// child that another test starts has what was open here until it runs its own program. What is shut down listens no
// more, whoever has it.
func Close(listener net.Listener) error {
	raw, err := listener.(*net.TCPListener).SyscallConn()
	if err != nil {
		return err
	}
	var shut error
	err = raw.Control(func(fd uintptr) { shut = syscall.Shutdown(int(fd), syscall.SHUT_RDWR) })
	return errors.Join(err, shut, listener.Close())
}

// reserved are held until the process ends.
var reserved struct {
	sync.Mutex
	all []net.PacketConn
}

// reserve takes the UDP port of a number, which stands for the TCP port: who looks whether that is free, on all hosts,
// has it for a moment, and another process must not want to listen there just then.
func reserve(port string) bool {
	held, err := net.ListenPacket("udp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return false
	}
	reserved.Lock()
	defer reserved.Unlock()
	reserved.all = append(reserved.all, held)
	return true
}

// host is a loopback host of this process's own: Linux answers on all of 127.0.0.0/8, and
// gives a process a number below 2^22.
func host() string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d.%d", 64|pid>>16, pid>>8&0xff, pid&0xff)
}
