package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client is outside of the board. Its errors say what the board could not do.
type Client struct {
	// URL is the Server's address from outside.
	URL string
}

// Run runs a program to its end.
func (c Client) Run(ctx context.Context, args ...string) (ended Ended, err error) {
	return ended, c.ask(ctx, "/run", args, &ended)
}

// Start starts a program whose output goes to the board's console. There is one at a
// time.
func (c Client) Start(ctx context.Context, args ...string) error {
	return c.ask(ctx, "/start", args, nil)
}

// Stop ends the started program, and returns its exit status.
func (c Client) Stop(ctx context.Context) (status int, err error) {
	return status, c.ask(ctx, "/stop", nil, &status)
}

// Chip makes a GPIO chip in the board's kernel, with lines of these names.
func (c Client) Chip(ctx context.Context, label string, lines []string) error {
	return c.ask(ctx, "/chip", chip{Label: label, Lines: lines}, nil)
}

// ChipWithHeld makes a chip of which the kernel itself has some lines, by their names, under
// other names.
func (c Client) ChipWithHeld(ctx context.Context, label string, lines []string, held map[string]string) error {
	return c.ask(ctx, "/chip", chip{label, lines, held}, nil)
}

// Vanish makes a chip vanish, and Appear brings it back, under the lowest number that is
// free.
func (c Client) Vanish(ctx context.Context, label string) error {
	return c.ask(ctx, "/presence", presence{Label: label}, nil)
}

func (c Client) Appear(ctx context.Context, label string) error {
	return c.ask(ctx, "/presence", presence{label, true}, nil)
}

// Press connects a line of a chip to ground for so long.
func (c Client) Press(ctx context.Context, line string, hold time.Duration) error {
	return c.ask(ctx, "/pull", pull{Line: line, Hold: hold}, nil)
}

// Pull connects a line to the supply or to ground.
func (c Client) Pull(ctx context.Context, line string, up bool) error {
	return c.ask(ctx, "/pull", pull{Line: line, Up: up}, nil)
}

// Lines reports for each line whether it is high.
func (c Client) Lines(ctx context.Context) (levels map[string]bool, err error) {
	return levels, c.send(ctx, http.MethodGet, "/lines", nil, &levels)
}

// Write makes a file that nobody else may read, and its folder.
func (c Client) Write(ctx context.Context, path, text string) error {
	return c.send(ctx, http.MethodPut, file(path), strings.NewReader(text), nil)
}

// Read returns what is in a file.
func (c Client) Read(ctx context.Context, path string) (text []byte, err error) {
	return text, c.send(ctx, http.MethodGet, file(path), nil, &text)
}

func file(path string) string { return "/file?path=" + url.QueryEscape(path) }

func (c Client) ask(ctx context.Context, what string, asks, answer any) error {
	text, err := json.Marshal(asks)
	if err != nil {
		return err
	}
	return c.send(ctx, http.MethodPost, what, bytes.NewReader(text), answer)
}

func (c Client) send(ctx context.Context, method, what string, body io.Reader, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+what, body)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("the board does not answer: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return fmt.Errorf("the board's answer to %s: %w", what, err)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("the board, asked for %s: %s", what, strings.TrimSpace(string(text)))
	case answer == nil:
		return nil
	}
	return json.Unmarshal(text, answer)
}
