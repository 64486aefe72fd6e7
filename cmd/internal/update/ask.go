package update

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/internal/modes"
)

// Put puts a package, its signature and, unless previous is "", the package to go back to where root looks for them. The
// request comes last, so that nothing half is taken.
func Put(requests, file, previous, who string) (id string, err error) {
	if _, err := os.Stat(filepath.Join(requests, RequestFile)); err == nil {
		return "", errors.New("another update has been asked for already: wait for it, or see journalctl -u sabot-update")
	}
	files := [][2]string{{file, RequestPackage}, {file + SignatureEnd, RequestPackage + SignatureEnd}}
	if previous != "" {
		files = append(files, [2]string{previous, RequestPrevious}, [2]string{previous + SignatureEnd, RequestPrevious + SignatureEnd})
	}
	for _, f := range files {
		if err := take(f[0], filepath.Join(requests, f[1]), mostPackage); err != nil {
			if errors.Is(err, fs.ErrPermission) {
				err = fmt.Errorf("%w: do this as root or as the user sabot", err)
			}
			return "", err
		}
	}
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	id = hex.EncodeToString(b[:])
	text, err := json.Marshal(Request{ID: id, Who: who})
	if err != nil {
		return "", err
	}
	return id, modes.Replace(filepath.Join(requests, RequestFile), append(text, '\n'))
}
