package datadir

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vitae.internal/pkg/backing"
)

// logLimit is the size in bytes above which the next start rotates the log and keeps one old log.
const logLimit = 32 << 20

// Dir is a data folder, locked by this process until Close.
type Dir struct {
	Path string
	lock *os.File
}

// takenError is the error for a folder that another process has locked.
type takenError string

func (e takenError) Error() string {
	return fmt.Sprintf("another stack runs in %s; stop it, or set VITAE_DATA_DIR and other addresses for this one", string(e))
}

// Open creates the folder if it does not exist, and locks it. Other users may enter it, because Postgres may run as
// another user. Only this user can read the secrets in it.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o711); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	// The kernel releases the lock when the process ends, even by kill -9.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, takenError(path)
		}
		return nil, fmt.Errorf("data folder: lock: %w", err)
	}
	return &Dir{Path: path, lock: lock}, nil
}

// Close unlocks the folder.
func (d *Dir) Close() error { return d.lock.Close() }

// File returns the path of a file in the folder.
func (d *Dir) File(name string) string { return filepath.Join(d.Path, name) }

// Log opens the log file, which all services share.
func (d *Dir) Log() (*os.File, error) {
	name := d.File("vitae.log")
	if info, err := os.Stat(name); err == nil && info.Size() > logLimit {
		if err := os.Rename(name, name+".1"); err != nil {
			return nil, fmt.Errorf("log: %w", err)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	return f, nil
}

// Secrets holds the secrets of a local stack. They are created once.
type Secrets struct {
	// Each key is 32 random bytes in base64.
	CVLinkKey      string `json:"cvLinkKey"`
	CookieKey      string `json:"cookieKey"`
	RecordKey      string `json:"recordKey"`
	BlobSigningKey string `json:"blobSigningKey"`
	// Postgres contains the password of each service's role.
	Postgres map[string]string `json:"postgres"`
}

// Secrets reads the secrets, and creates and stores the missing ones.
func (d *Dir) Secrets(services ...string) (Secrets, error) {
	var s Secrets
	raw, err := os.ReadFile(d.File("secrets.json"))
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("secrets of the stack: %w", err)
	}
	for _, key := range []*string{&s.CVLinkKey, &s.CookieKey, &s.RecordKey, &s.BlobSigningKey} {
		if *key == "" {
			*key = newKey()
		}
	}
	if s.Postgres == nil {
		s.Postgres = map[string]string{}
	}
	for _, name := range services {
		if s.Postgres[name] == "" {
			s.Postgres[name] = rand.Text()
		}
	}
	raw, err = json.MarshalIndent(s, "", "  ")
	if err != nil {
		return s, fmt.Errorf("secrets of the stack: %w", err)
	}
	return s, d.Keep("secrets.json", raw)
}

func newKey() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return base64.StdEncoding.EncodeToString(key)
}

// Keep writes a file atomically. Only this user can read it.
func (d *Dir) Keep(name string, content []byte) error {
	f, err := os.CreateTemp(d.Path, name+".*") // mode 0600
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	defer os.Remove(f.Name()) // fails without effect if the rename succeeded
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), d.File(name))
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

// Names of the folders that contain the data of the private servers, the resumes and the sent emails.
const (
	PostgresFolder = "postgres"
	RedisFolder    = "redis"
	ResumesFolder  = "resumes"
	MailFolder     = "mail"
)

// Remove deletes the folder at path, and server data that is stored elsewhere (see package backing). It returns the
// removed paths, which are empty if the folder did not exist. It fails if a stack is running in the folder.
func Remove(path string) (gone []string, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// Remove only a stack's folder, because VITAE_DATA_DIR could name another folder by mistake.
	if _, err := os.Stat(filepath.Join(path, "lock")); err != nil {
		return nil, fmt.Errorf("%s is not the data folder of a stack", path)
	}
	d, err := Open(path)
	if _, taken := errors.AsType[takenError](err); taken {
		return nil, fmt.Errorf("a stack runs in %s: stop it first", path)
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for _, folder := range []string{PostgresFolder, RedisFolder} {
		target, linked := os.Readlink(d.File(folder))
		if err := backing.Remove(d.File(folder)); err != nil {
			return gone, err
		}
		if _, left := os.Lstat(target); linked == nil && errors.Is(left, fs.ErrNotExist) {
			gone = append(gone, target)
		}
	}
	if err := os.RemoveAll(path); err != nil {
		return gone, err
	}
	return append([]string{path}, gone...), nil
}
