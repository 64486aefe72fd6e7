package notify

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"time"
)

// Subscription is a browser that wants to be called.
type Subscription struct {
	// Endpoint is the address at the browser's push service.
	Endpoint string
	// P256dh and Auth are the browser's public key and its secret, in base64 as it gives them: what is sent is
	// encrypted for them, so that the push service cannot read it.
	P256dh, Auth string
	// Person is who uses it, and Language what it speaks.
	Person, Language string
	// Key is the pit's public key with which it subscribed: another one cannot call it.
	Key   string
	Added time.Time
}

// Store keeps subscriptions. Its methods may be called from any goroutine.
type Store interface {
	Subscriptions(context.Context) ([]Subscription, error)
	// PutSubscription adds one, or takes the place of that of the same endpoint. A person has at most so many: the
	// oldest are dropped.
	PutSubscription(ctx context.Context, s Subscription, most int) error
	// DropSubscription of one that does not exist is not an error.
	DropSubscription(ctx context.Context, endpoint string) error
}

// mostOfPerson is how many browsers a person has at most.
const mostOfPerson = 8

// check says what is wrong with a subscription.
func (s *Subscription) check(allowed Services) error {
	if err := allowed.Allow(s.Endpoint); err != nil {
		return err
	}
	point, err := decode(s.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(point)
	}
	if err != nil {
		return errors.New("its public key is not a point on P-256")
	}
	if secret, err := decode(s.Auth); err != nil || len(secret) != 16 {
		return errors.New("its secret has not 16 bytes")
	}
	return nil
}

func decode(text string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(text) }
