package disk

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// stat describes what is at a path, without following a link.
func stat(path string) (Info, error) {
	h, err := lookAt(path)
	if err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	i, err := infoOf(h, path)
	return i, errors.Join(err, windows.CloseHandle(h))
}

// lookAt opens what is at a path for nothing but a look at what it is.
func lookAt(path string) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return windows.InvalidHandle, err
	}
	const (
		everybody = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
		asItIs    = windows.FILE_FLAG_BACKUP_SEMANTICS | windows.FILE_FLAG_OPEN_REPARSE_POINT
	)
	return windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, everybody, nil, windows.OPEN_EXISTING, asItIs, 0)
}

func infoOf(h windows.Handle, path string) (Info, error) {
	var s windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return Info{
		Size:   int64(s.FileSizeHigh)<<32 | int64(s.FileSizeLow),
		Device: uint64(s.VolumeSerialNumber), Inode: uint64(s.FileIndexHigh)<<32 | uint64(s.FileIndexLow),
		Links: uint64(s.NumberOfLinks), Written: s.LastWriteTime.Nanoseconds(),
		Folder: s.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0,
	}, nil
}

// InfoOf never knows: what others see of a file here does not say which one it is.
func InfoOf(fs.FileInfo) (i Info, ok bool) { return i, false }

// Free is how many bytes the user can still write.
func (d Folder) Free() (uint64, error) {
	name, err := windows.UTF16PtrFromString(string(d))
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, &os.PathError{Op: "free", Path: string(d), Err: err}
	}
	return free, nil
}

func (f *file) Stat() (Info, error) { return infoOf(windows.Handle(f.Fd()), f.Name()) }

func syncData(f *os.File) error { return f.Sync() }

// forget does nothing on a system that has no call for it.
func forget(*os.File) error { return nil }
