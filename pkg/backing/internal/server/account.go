package server

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that the servers run as. A nil *account means the user of this process.
type account struct{ uid, gid int }

// serverAccounts lists, in order of preference, the users that the servers may run as when this
// process runs as root. initdb needs a user that is in the password file.
var serverAccounts = []string{"vitae", "postgres", "nobody"}

func chooseAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range serverAccounts {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.Atoi(u.Uid)
		gid, errGID := strconv.Atoi(u.Gid)
		if errUID == nil && errGID == nil && uid != 0 {
			return &account{uid: uid, gid: gid}, nil
		}
	}
	return nil, errors.New("running as root and none of the users vitae, postgres, nobody exists; run `make setup`")
}

// lower makes cmd run as the account, without root's supplementary groups.
func (a *account) lower(cmd *exec.Cmd) {
	if a == nil {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)},
	}
}

// own makes the account the owner of a path.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Chown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("change the owner of %s to the server's user: %w", path, err)
	}
	return nil
}

// mayEnter reports whether the mode bits allow the account to enter the directory.
func (a *account) mayEnter(dir os.FileInfo) bool {
	st, ok := dir.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	switch {
	case a == nil:
		return true
	case int(st.Uid) == a.uid:
		return dir.Mode()&0o100 != 0
	case int(st.Gid) == a.gid:
		return dir.Mode()&0o010 != 0
	default:
		return dir.Mode()&0o001 != 0
	}
}
