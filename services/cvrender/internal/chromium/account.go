package chromium

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// accounts are the users under which Chromium may run if this process runs as root, in order of
// preference.
var accounts = []string{"vitae", "nobody"}

type account struct {
	uid, gid int
	// lowered reports whether the account differs from the user of this process.
	lowered bool
}

func chooseAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Getuid(), gid: os.Getgid()}, nil
	}
	for _, name := range accounts {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.Atoi(u.Uid)
		gid, errGID := strconv.Atoi(u.Gid)
		if errUID == nil && errGID == nil && uid != 0 {
			return account{uid: uid, gid: gid, lowered: true}, nil
		}
	}
	return account{}, errors.New("chromium: running as root, and neither the user vitae nor nobody exists")
}

// isolate makes the process run in its own network namespace, in which even the loopback interface
// is down. Root creates the namespace before it changes to the unprivileged user. Other users first
// need a user namespace, in which they keep their user ID.
func (a account) isolate() *syscall.SysProcAttr {
	if a.lowered {
		return &syscall.SysProcAttr{
			Cloneflags: syscall.CLONE_NEWNET,
			Credential: &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)},
		}
	}
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: a.uid, HostID: a.uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: a.gid, HostID: a.gid, Size: 1}},
	}
}

// own makes the account the owner of everything below root.
func (a account) own(root string) error {
	if !a.lowered {
		return nil
	}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, a.uid, a.gid)
	})
	if err != nil {
		return fmt.Errorf("chromium: hand files to its user: %w", err)
	}
	return nil
}
