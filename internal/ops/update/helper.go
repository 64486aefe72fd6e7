package update

import (
	"errors"
	"io/fs"
	"os"
)

// HelperFile is a copy of the program that does the update, in root's folder while one is under way: after a power cut
// the update goes on with it, even if the program that was installed does not work.
const HelperFile = "sabot"

// self is a link to the program that runs. That of the tests is large: they have another.
var self = "/proc/self/exe"

func (s *System) keepHelper() error {
	path, err := os.Readlink(self)
	if err != nil {
		return err
	}
	if path == s.at(HelperFile) {
		return nil // it is the copy that goes on
	}
	if err := takeFile(path, s.at(HelperFile), mostPackage); err != nil {
		return err
	}
	return os.Chmod(s.at(HelperFile), 0o700)
}

func (s *System) dropHelper() error {
	if err := os.Remove(s.at(HelperFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
