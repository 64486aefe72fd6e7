package broker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

const (
	// waiting is the stream in which NATS keeps what waits for subscribers, and inbox where its answers come.
	waiting = "$MQTT_msgs"
	inbox   = "_INBOX.sabot"
	// partWaiting is which part of all that is kept may wait.
	partWaiting = 4
)

// keeper is the user who bounds what waits. Nobody else knows its password.
func keeper(password string) User {
	const api = "$JS/API/STREAM/"
	return User{
		Name: "keeper", Password: password, Writes: []string{api + "CREATE/" + waiting, api + "UPDATE/" + waiting},
		Reads: []string{strings.ReplaceAll(inbox, ".", "/")},
	}
}

// boundWaiting has the oldest of what waits be forgotten once there is too much of it. Without that, one subscriber who
// does not take what was said fills the broker, which then refuses whatever any table says.
func (b *Broker) boundWaiting(ctx context.Context) error {
	stream := map[string]any{
		"name": waiting, "subjects": []string{"$MQTT.msgs.>"}, "storage": "file", "retention": "interest",
		"num_replicas": max(1, b.opts.MQTT.StreamReplicas),
		"max_bytes":    b.config.mostKept() / partWaiting, "discard": "old",
	}
	conn, err := b.server.InProcessConn()
	if err != nil {
		return fmt.Errorf("the broker inside the pit: %w", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	in := bufio.NewReader(conn)
	if err := b.greet(conn, in); err != nil {
		return fmt.Errorf("the broker inside the pit does not take its own keeper: %w", err)
	}
	err = request(conn, in, "CREATE", stream)
	if _, other := err.(refusedError); other { // it is there, as NATS makes it
		err = request(conn, in, "UPDATE", stream)
	}
	if err != nil {
		return fmt.Errorf("the broker inside the pit does not bound what waits for slow readers: %w", err)
	}
	return nil
}

// greet says who connects, once the broker has said hello.
func (b *Broker) greet(conn net.Conn, in *bufio.Reader) error {
	if _, err := in.ReadString('\n'); err != nil {
		return err
	}
	hello, err := json.Marshal(map[string]any{"user": b.keeper.Name, "pass": b.keeper.Password, "verbose": false})
	if err == nil {
		_, err = fmt.Fprintf(conn, "CONNECT %s\r\nSUB %s 1\r\n", hello, inbox)
	}
	return err
}

// refusedError is an answer of NATS that says why not.
type refusedError string

func (e refusedError) Error() string { return string(e) }

// request asks NATS' interface for streams.
func request(conn net.Conn, in *bufio.Reader, what string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(conn, "PUB $JS.API.STREAM.%s.%s %s %d\r\n%s\r\n", what, waiting, inbox, len(text), text)
	if err != nil {
		return err
	}
	answer, err := answerTo(conn, in)
	if err != nil {
		return err
	}
	var said struct {
		Error *struct {
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return err
	}
	if said.Error != nil {
		return refusedError(said.Error.Description)
	}
	return nil
}

// answerTo reads up to the next message.
func answerTo(conn net.Conn, in *bufio.Reader) ([]byte, error) {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		var subject string
		var id, length int
		switch line = strings.TrimSpace(line); {
		case line == "PING":
			if _, err := io.WriteString(conn, "PONG\r\n"); err != nil {
				return nil, err
			}
		case strings.HasPrefix(line, "-ERR"):
			return nil, fmt.Errorf("NATS says %s", line)
		case strings.HasPrefix(line, "MSG "):
			if _, err := fmt.Sscanf(line, "MSG %s %d %d", &subject, &id, &length); err != nil {
				return nil, err
			}
			answer := make([]byte, length+len("\r\n"))
			_, err := io.ReadFull(in, answer)
			return answer[:length], err
		}
	}
}
