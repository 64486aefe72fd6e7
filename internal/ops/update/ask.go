package update

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

// Desk is where somebody asks for updates.
type Desk struct {
	// Folder is root's, and Requests the one that whoever asks may write to.
	Folder, Requests string
}

const (
	// mostUntaken is how long a request may lie until root's part takes it.
	mostUntaken = time.Minute
	// lookEvery is the time between two looks.
	lookEvery = time.Second
)

// Ask puts a package, its signature and, unless previous is "", the package to go back to where root looks for them,
// and waits until root's part has taken them. The request comes last, so that nothing half is taken.
func (d Desk) Ask(ctx context.Context, file, previous, who string) (id string, err error) {
	st, err := Look(d.Folder)
	if err != nil {
		return "", err
	}
	if st.UnderWay() {
		return "",
			fmt.Errorf("another update is under way: %s; wait for it, or if it does not go on: sudo systemctl start "+
				"sabot-update", st.Doing())
	}
	if id, err = d.putRequest(file, previous, who); err != nil {
		return "", err
	}
	return id, d.taken(ctx, id)
}

func newID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (d Desk) putRequest(file, previous, who string) (id string, err error) {
	if path := filepath.Join(d.Requests, RequestFile); exists(path) {
		return "",
			fmt.Errorf("another update has been asked for already: wait for it; if nobody takes it within %s, "+
				"remove %s", mostUntaken, path)
	}
	files := [][2]string{{file, RequestPackage}, {file + SignatureEnd, RequestPackage + SignatureEnd}}
	if previous != "" {
		files = append(files, [2]string{previous, RequestPrevious},
			[2]string{previous + SignatureEnd, RequestPrevious + SignatureEnd})
	}
	for _, f := range files {
		if err := takeFile(f[0], filepath.Join(d.Requests, f[1]), mostPackage); err != nil {
			if errors.Is(err, fs.ErrPermission) {
				err = fmt.Errorf("%w: do this as root or as the user sabot", err)
			}
			return "", err
		}
	}
	id = newID()
	text, err := json.Marshal(Request{ID: id, Who: who})
	if err != nil {
		return "", err
	}
	return id, securefile.Replace(filepath.Join(d.Requests, RequestFile), append(text, '\n'))
}

// taken waits until root's part has taken a request, and takes it back if nobody does.
func (d Desk) taken(ctx context.Context, id string) error {
	for limit := time.Now().Add(mostUntaken); ; {
		// The state says so before the request is removed.
		_, gone := os.Lstat(filepath.Join(d.Requests, RequestFile))
		switch st, err := Look(d.Folder); {
		case err != nil || st.Request == id:
			return err
		case errors.Is(gone, fs.ErrNotExist):
			return errors.New("the request was dropped unread: journalctl -u sabot-update says why")
		case time.Now().After(limit):
			return d.takeBack(id)
		}
		if err := sleep(ctx, lookEvery); err != nil {
			return errors.New("interrupted: sabot update --status says what comes of it")
		}
	}
}

// takeBack removes what was asked for, unless it has been taken by then: without its files it is refused.
func (d Desk) takeBack(id string) error {
	if err := removeRequest(d.Requests); err != nil {
		return err
	}
	if st, err := Look(d.Folder); err != nil || st.Request == id {
		return err
	}
	return fmt.Errorf("nobody took the request within %s, and it is taken back: systemctl status sabot-update.path "+
		"sabot-update says why, "+
		"and sudo systemctl restart sabot-update.path mends most of it; then ask again", mostUntaken)
}

// Follow waits for the end of an update that was taken, and tells of each step.
func (d Desk) Follow(ctx context.Context, id string, told func(*State)) (State, error) {
	for last := Step(""); ; {
		st, err := Look(d.Folder)
		switch {
		case err != nil:
			return st, err
		case st.Request != id:
			return st,
				errors.New("another update has begun since: journalctl -u sabot-update says what came of this one")
		case st.Halted != "":
			return st, st.Err()
		case st.Step == Done:
			return st, nil
		case st.Step != last:
			last = st.Step
			told(&st)
		}
		if err := sleep(ctx, lookEvery); err != nil {
			return st,
				errors.New("interrupted: the update goes on by itself; sabot update --status says what came of it")
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
