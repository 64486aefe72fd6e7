package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// PutRight takes from other users of this computer what they may not do with the files of a table at its first start,
// so that nobody at the screen is told of modes: with the configuration at a path, which is to hold the hashes of PINs,
// with what it names, and with the folders of both. What belongs to another user stays as it is, and the questions say
// what is wrong with it. text is what there is of the configuration.
func PutRight(path string, text []byte, log *slog.Logger) {
	own, c := securefile.Own(), Tried(text)
	items := []securefile.Item{
		{Kind: securefile.Folder, Path: filepath.Dir(path)},
		{Kind: securefile.Folder, Path: filepath.Dir(c.Journal.Path)},
		{Kind: securefile.Guarded, Path: path},
	}
	for _, file := range c.Files() {
		if strictyaml.Absolute(file.Path) {
			items = append(items, securefile.Item{Kind: file.Kind, Path: file.Path})
		}
	}
	mended := securefile.Narrow(items, own)
	taken, is, err := guard(path, text)
	switch {
	case err != nil:
		log.Warn("the configuration cannot be kept from other users: chmod 600 its file, as its owner", "path", path,
			"err", err)
	case is:
		mended = append(mended, taken)
	}
	for _, m := range mended {
		log.Warn("other users could read or change what belongs to the table: they cannot any longer"+m.Kind.Lost(),
			"path", m.Path, "it is", m.Kind, "was", fmt.Sprintf("%#o", m.Was), "now", fmt.Sprintf("%#o", m.Now))
	}
}

// guard puts a copy that is the table's own in the place of a configuration that is root's and that others may read, as
// after sudo cp: the table may replace it, as it does at the end of a first start, but not change its mode.
func guard(path string, text []byte) (m securefile.Mended, is bool, err error) {
	item := securefile.Item{Kind: securefile.Guarded, Path: path}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || !securefile.OfRoot(info)) {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	if _, err := item.Stat(); err == nil {
		return m, false, nil
	}
	m = securefile.Mended{Item: item, Was: info.Mode().Perm(), Now: first}
	store := At(path)
	return m, true, store.write(store.name, text, func(draft string) error {
		return securefile.Adopt(filepath.Join(filepath.Dir(path), draft), nil, first)
	})
}
