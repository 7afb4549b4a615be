package backing

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// s3Region is where the buckets of a private S3 server are.
	s3Region = "eu-central-1"
	// s3Access is the name of its only user.
	s3Access = "vitae"
)

// S3 is a running private S3 server (versitygw), which keeps objects in a folder and checks
// every signature.
type S3 struct {
	*server
	// Secret is the secret key of the user AccessKey.
	AccessKey, Secret, Region string
	buckets                   string
	again                     launch
}

// StartS3 starts the program, a versitygw, in a directory of its own, with empty buckets.
func StartS3(ctx context.Context, program, dir string, buckets ...string) (*S3, error) {
	acct, err := chooseAccount()
	if err != nil {
		return nil, err
	}
	home, err := prepareHome(dir, acct)
	if err != nil {
		return nil, err
	}
	s := &S3{AccessKey: s3Access, Secret: newPassword(), Region: s3Region, buckets: filepath.Join(home, "buckets")}
	about := filepath.Join(home, "about")
	made := []string{s.buckets, about}
	for _, name := range buckets { // a folder is a bucket
		made = append(made, filepath.Join(s.buckets, name))
	}
	for _, folder := range made {
		if err := errors.Join(os.MkdirAll(folder, 0o700), acct.own(folder)); err != nil {
			return nil, err
		}
	}
	s.again = launch{
		name: "s3", home: home, end: syscall.SIGTERM, acct: acct,
		command: func(port int) *exec.Cmd {
			cmd := exec.Command(program, "--port", "127.0.0.1:"+strconv.Itoa(port), "--region", s.Region, "--keep-alive",
				"posix", "--sidecar", about, s.buckets)
			cmd.Dir = home
			// Every user can read the arguments of a process.
			cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+s.AccessKey, "ROOT_SECRET_ACCESS_KEY="+s.Secret)
			return cmd
		},
		ping: answersAnything,
	}
	if s.server, err = s.again.run(ctx); err != nil {
		return nil, err
	}
	s.again.port = s.port
	return s, nil
}

// URL is where the server answers.
func (s *S3) URL() string { return "http://127.0.0.1:" + strconv.Itoa(s.port) }

// Objects are the paths of all objects, below their buckets.
func (s *S3) Objects() (paths []string, err error) {
	err = filepath.WalkDir(s.buckets, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") { // the server's own
			return filepath.SkipDir
		}
		if err == nil && entry.Type().IsRegular() {
			relative, err := filepath.Rel(s.buckets, path)
			paths = append(paths, relative)
			return err
		}
		return err
	})
	return paths, err
}

// Restart starts a killed server again, on the same port with the same objects.
func (s *S3) Restart(ctx context.Context) error {
	s.Kill()
	next, err := s.again.run(ctx)
	if err != nil {
		return err
	}
	s.server = next
	return nil
}

// answersAnything returns an error unless a server answers HTTP. Without a signature it
// refuses everything.
func answersAnything(ctx context.Context, port int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+strconv.Itoa(port)+"/", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
