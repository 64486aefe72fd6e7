package site

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// mostHead is how long the head of an answer may be.
const mostHead = 64 << 10

// Client is a client like another, nil for one with the defaults, that follows no redirection, waits no longer than a
// time for a whole answer, and reads no more than most bytes of it: then reading it fails with ErrLongAnswer.
func Client(like *http.Client, within time.Duration, most int64) *http.Client {
	c := http.Client{}
	if like != nil {
		c = *like
	}
	way := c.Transport
	if way == nil {
		way = http.DefaultTransport
	}
	if transport, is := way.(*http.Transport); is {
		transport = transport.Clone()
		transport.MaxResponseHeaderBytes = mostHead
		way = transport
	}
	c.Transport = &boundedAnswers{way, most}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if c.Timeout == 0 || c.Timeout > within {
		c.Timeout = within
	}
	return &c
}

// ErrLongAnswer is an answer that is longer than anybody wants it.
var ErrLongAnswer = errors.New("the answer is too long")

type boundedAnswers struct {
	http.RoundTripper
	most int64
}

// RoundTrip bounds what is read of the answer.
func (b *boundedAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &bodyOfAnswer{answer.Body, b.most}
	return answer, nil
}

// CloseIdleConnections is for http.Client.
func (b *boundedAnswers) CloseIdleConnections() {
	if c, is := b.RoundTripper.(interface{ CloseIdleConnections() }); is {
		c.CloseIdleConnections()
	}
}

type bodyOfAnswer struct {
	io.ReadCloser
	left int64
}

func (b *bodyOfAnswer) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrLongAnswer
	}
	if int64(len(p)) > b.left+1 { // one more shows whether there is more
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, ErrLongAnswer
	}
	return n, err
}
