package broker

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// retained is the stream of what is retained.
const retained = "$MQTT_rmsgs"

// inboxes are where NATS answers. Each connection of a keeper has its own: the keepers of all nodes of a cluster are
// one user, and each would hear what the others are answered.
const inboxes = "_INBOX/sabot/" + topic.Any

// stream is one of those in which NATS keeps what MQTT has it keep, as NATS itself makes it but for the bound.
type stream struct {
	name, subjects, retention, discard string
	each                               bool // one message of each subject
	part                               int64
}

// streams are all of them, and which part of all that is kept each may have. Without a bound, one subscriber who does
// not take what was said, or a client that keeps a session under one name after the other, fills the broker, which then
// refuses whatever any table says.
var streams = []stream{
	{name: "$MQTT_msgs", subjects: "$MQTT.msgs.>", retention: "interest", discard: "old", part: 4},
	{name: retained, subjects: "$MQTT.rmsgs.>", retention: "limits", discard: "old", each: true, part: 4},
	{name: "$MQTT_sess", subjects: "$MQTT.sess.>", retention: "limits", discard: "old", each: true, part: 16},
	{name: "$MQTT_out", subjects: "$MQTT.out.>", retention: "interest", discard: "old", part: 16},
	// Of MQTT's QoS 2, which nothing of Sabot's uses.
	{name: "$MQTT_qos2in", subjects: "$MQTT.qos2.in.>", retention: "limits", discard: "new", each: true, part: 16},
}

// keeper is the user who bounds what is kept, and tells a hub what it needs of it. Nobody else knows its password.
func (c *Config) keeper(password string) User {
	const api = "$JS/API/STREAM/"
	u := User{Name: "keeper", Password: password, Reads: []string{inboxes}}
	for _, s := range streams {
		u.Writes = append(u.Writes, api+"CREATE/"+s.name, api+"UPDATE/"+s.name)
	}
	if c.Hub != nil {
		u.Writes = append(u.Writes, api+"MSG/GET/"+retained, topic.Filter(c.Site, topic.Any, topic.KindStatus),
			topic.Filter(c.Site, topic.Any, topic.KindHealth))
	}
	return u
}

// asked is a stream as NATS' interface takes it.
func (b *Broker) asked(s stream) map[string]any {
	all := map[string]any{
		"name": s.name, "subjects": []string{s.subjects}, "storage": "file", "retention": s.retention,
		"num_replicas": max(1, b.opts.MQTT.StreamReplicas), "discard": s.discard,
		"max_bytes": b.config.mostKept() / s.part,
	}
	if s.each {
		all["max_msgs_per_subject"] = 1
		all["discard_new_per_subject"] = s.discard == "new"
	}
	return all
}

// boundKept has the oldest of what is kept be forgotten once there is too much of it.
func (b *Broker) boundKept(ctx context.Context) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	k, err := b.asKeeper(ctx)
	if err != nil {
		return err
	}
	for _, s := range streams {
		body := b.asked(s)
		_, err := k.request("CREATE", s.name, body)
		if _, other := err.(refusedError); other { // it is there, as NATS makes it
			_, err = k.request("UPDATE", s.name, body)
		}
		if err != nil {
			return fmt.Errorf("the broker inside the pit does not bound what it keeps in %s: %w", s.name, err)
		}
	}
	return nil
}

// keeperConn is a connection of the keeper.
type keeperConn struct {
	net.Conn
	in    *bufio.Reader
	inbox string // where its answers come
}

// asKeeper connects as the keeper, until the context ends. It has answerTime, or as long as its user sets.
func (b *Broker) asKeeper(ctx context.Context) (*keeperConn, error) {
	conn, err := b.server.InProcessConn()
	if err != nil {
		return nil, fmt.Errorf("the broker inside the pit: %w", err)
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}
	k := &keeperConn{conn, bufio.NewReader(conn), strings.Replace(subjects([]string{inboxes})[0], "*", rand.Text(), 1)}
	if err := k.greet(b.keeper); err != nil {
		return nil, fmt.Errorf("the broker inside the pit does not take its own keeper: %w", err)
	}
	return k, nil
}

// greet says who connects, once the broker has said hello.
func (k *keeperConn) greet(as User) error {
	if _, err := k.in.ReadString('\n'); err != nil {
		return err
	}
	hello, err := json.Marshal(map[string]any{"user": as.Name, "pass": as.Password, "verbose": false})
	if err == nil {
		_, err = fmt.Fprintf(k, "CONNECT %s\r\nSUB %s 1\r\n", hello, k.inbox)
	}
	return err
}

// refusedError is an answer of NATS that says why not.
type refusedError struct {
	Code        int    `json:"err_code"`
	Description string `json:"description"`
}

func (e refusedError) Error() string { return e.Description }

// request asks NATS' interface for streams.
func (k *keeperConn) request(what, stream string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(k, "PUB $JS.API.STREAM.%s.%s %s %d\r\n%s\r\n", what, stream, k.inbox, len(text), text)
	if err != nil {
		return nil, err
	}
	answer, err := k.answer()
	if err != nil {
		return nil, err
	}
	var said struct{ Error *refusedError }
	if err := json.Unmarshal(answer, &said); err != nil {
		return nil, err
	}
	if said.Error != nil {
		return nil, *said.Error
	}
	return answer, nil
}

// nothingKept is how NATS says that nothing is retained on a topic.
const nothingKept = 10037

// lastOf is what is retained on a topic, and since when; nil for nothing.
func (k *keeperConn) lastOf(name string) (payload []byte, at time.Time, err error) {
	answer, err := k.request("MSG.GET", retained, map[string]string{
		"last_by_subj": "$MQTT.rmsgs." + subjects([]string{name})[0],
	})
	if refused, is := err.(refusedError); is && refused.Code == nothingKept {
		return nil, at, nil
	}
	var kept struct {
		Message struct {
			Data []byte
			Time time.Time
		}
	}
	if err == nil {
		err = json.Unmarshal(answer, &kept)
	}
	return kept.Message.Data, kept.Message.Time, err
}

// sayAgain says on a topic what is retained there, if anything is.
func (k *keeperConn) sayAgain(name string, payload []byte) error {
	if len(payload) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(k, "PUB %s %d\r\n%s\r\n", subjects([]string{name})[0], len(payload), payload)
	return err
}

// flush waits until the broker has taken all that was said.
func (k *keeperConn) flush() error {
	_, err := io.WriteString(k, "PING\r\n")
	for line := ""; err == nil && !strings.HasPrefix(line, "PONG"); {
		if line, err = k.in.ReadString('\n'); strings.HasPrefix(line, "-ERR") {
			err = fmt.Errorf("NATS says %s", strings.TrimSpace(line))
		}
	}
	return err
}

// answer reads up to the next message.
func (k *keeperConn) answer() ([]byte, error) {
	for {
		line, err := k.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		var subject string
		var id, length int
		switch line = strings.TrimSpace(line); {
		case line == "PING":
			if _, err := io.WriteString(k, "PONG\r\n"); err != nil {
				return nil, err
			}
		case strings.HasPrefix(line, "-ERR"):
			return nil, fmt.Errorf("NATS says %s", line)
		case strings.HasPrefix(line, "MSG "):
			if _, err := fmt.Sscanf(line, "MSG %s %d %d", &subject, &id, &length); err != nil {
				return nil, err
			}
			answer := make([]byte, length+len("\r\n"))
			_, err := io.ReadFull(k.in, answer)
			return answer[:length], err
		}
	}
}
