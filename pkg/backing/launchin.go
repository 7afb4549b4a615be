package backing

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// launchIn runs a server in a directory of its own, which is made.
func launchIn(ctx context.Context, dir string, l launch, command func(home string, port int) *exec.Cmd) (*server, error) {
	var err error
	if l.acct, err = chooseAccount(); err != nil {
		return nil, err
	}
	if l.home, err = prepareHome(dir, l.acct); err != nil {
		return nil, err
	}
	l.command = func(port int) *exec.Cmd {
		cmd := command(l.home, port)
		cmd.Dir = l.home
		return cmd
	}
	return l.run(ctx)
}

// sbin finds a program that Debian keeps where only root's PATH leads. Its package has its
// name.
func sbin(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	path := filepath.Join("/usr/sbin", name)
	if _, err := os.Stat(path); err != nil {
		return "", &MissingProgramError{Program: name, Package: name}
	}
	return path, nil
}

// answersHTTP returns an error unless a server answers a path with 200.
func answersHTTP(ctx context.Context, port int, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+strconv.Itoa(port)+path, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d", path, res.StatusCode)
	}
	return nil
}
