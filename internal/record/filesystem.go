package record

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// FileSystem holds folders and journals. Its errors are those of package os: they wrap fs.ErrNotExist, fs.ErrExist
// and the errors of the system.
type FileSystem interface {
	// OpenFile opens a file with the flags of package os.
	OpenFile(name string, flag int, mode fs.FileMode) (File, error)

	// Mkdir makes one directory.
	Mkdir(name string, mode fs.FileMode) error

	// Rename renames a file and replaces the file that had the new name.
	Rename(from, to string) error

	// Remove removes a file or an empty directory.
	Remove(name string) error

	// Stat describes a file. It follows links.
	Stat(name string) (fs.FileInfo, error)

	// SameFile reports whether two results of FileSystem.Stat or File.Stat describe the same file.
	SameFile(a, b fs.FileInfo) bool

	// ReadDir lists a directory by name.
	ReadDir(name string) ([]fs.DirEntry, error)

	// SyncDir flushes a directory to disk: the names of files created, renamed and removed there.
	SyncDir(name string) error
}

// File is an open file of a FileSystem.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer

	// Stat describes the file, even if it was renamed or removed.
	Stat() (fs.FileInfo, error)

	// Truncate shortens the file to a size, or extends it with zeros.
	Truncate(size int64) error

	// Sync flushes the contents to disk.
	Sync() error

	// Lock locks the file for this process until it is closed. If another process has locked it, the error is
	// ErrBusy.
	Lock() error
}

// Disk is the FileSystem of the operating system.
type Disk struct{}

// OpenFile implements FileSystem.
func (Disk) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	file, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return diskFile{file}, nil
}

// Mkdir implements FileSystem.
func (Disk) Mkdir(name string, mode fs.FileMode) error { return os.Mkdir(name, mode) }

// Rename implements FileSystem.
func (Disk) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FileSystem.
func (Disk) Remove(name string) error { return os.Remove(name) }

// Stat implements FileSystem.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// SameFile implements FileSystem.
func (Disk) SameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// ReadDir implements FileSystem.
func (Disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// SyncDir implements FileSystem. It does nothing on systems that cannot sync a directory.
func (Disk) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

// diskFile is a file of the operating system.
type diskFile struct{ *os.File }

// Lock implements File.
func (f diskFile) Lock() error { return lock(f.File) }
