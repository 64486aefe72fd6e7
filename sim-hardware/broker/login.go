package broker

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
)

// Login is who may connect. The zero Login is everybody on this computer.
type Login struct {
	User, Password string
}

// NewLogin makes a password that nobody can guess.
func NewLogin(user string) Login { return Login{User: user, Password: rand.Text()} }

// admits compares in constant time.
func (l Login) admits(user, password []byte) bool {
	if l == (Login{}) {
		return true
	}
	sum := func(user, password []byte) []byte {
		u, p := sha256.Sum256(user), sha256.Sum256(password)
		return append(u[:], p[:]...)
	}
	return subtle.ConstantTimeCompare(sum(user, password), sum([]byte(l.User), []byte(l.Password))) == 1
}

// ListenFor is Listen with a broker that lets nobody in but by a login.
func ListenFor(login Login, addr string, log *slog.Logger) (*Broker, error) {
	return listen(login, addr, log, maxWrite)
}
