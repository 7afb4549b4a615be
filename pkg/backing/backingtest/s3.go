package backingtest

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"vitae.internal/pkg/backing/internal/server"
)

const (
	// s3Region is the region of all buckets.
	s3Region = "eu-central-1"
	// s3Access is the access key of the only user.
	s3Access = "vitae"
)

// S3 is a running private S3 server (versitygw) that stores objects in a folder and verifies every
// signature.
type S3 struct {
	*server.Server
	// Secret is the secret key that belongs to AccessKey.
	AccessKey, Secret, Region string
	buckets                   string
	again                     server.Launch
}

// StartS3 starts versitygw with the given buckets, which are empty at first.
func StartS3(ctx context.Context, program, dir string, buckets ...string) (*S3, error) {
	home, err := server.MakeHome(dir)
	if err != nil {
		return nil, err
	}
	s := &S3{AccessKey: s3Access, Secret: server.NewPassword(), Region: s3Region, buckets: filepath.Join(home.Path, "buckets")}
	about := filepath.Join(home.Path, "about")
	made := []string{s.buckets, about}
	for _, name := range buckets { // each folder is a bucket
		made = append(made, filepath.Join(s.buckets, name))
	}
	for _, folder := range made {
		if err := home.MakeFolder(folder); err != nil {
			return nil, err
		}
	}
	s.again = server.Launch{
		Name: "s3", Home: home, End: syscall.SIGTERM,
		Command: func(port int) *exec.Cmd {
			cmd := exec.Command(program, "--port", "127.0.0.1:"+strconv.Itoa(port), "--region", s.Region, "--keep-alive",
				"posix", "--sidecar", about, s.buckets)
			// Pass the keys in the environment, because every user can read the arguments of a
			// process.
			cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+s.AccessKey, "ROOT_SECRET_ACCESS_KEY="+s.Secret)
			return cmd
		},
		// The server responds to unsigned requests with 403.
		Ping: func(ctx context.Context, port int) error { return checkStatus(ctx, port, "", http.StatusForbidden) },
	}
	if s.Server, err = s.again.Run(ctx); err != nil {
		return nil, err
	}
	s.again.Port = s.Port
	return s, nil
}

// URL returns the URL of the server.
func (s *S3) URL() string { return "http://127.0.0.1:" + strconv.Itoa(s.Port) }

// Objects lists the paths of all objects, each starting with its bucket.
func (s *S3) Objects() (paths []string, err error) {
	err = filepath.WalkDir(s.buckets, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") { // the server's internal files
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

// Restart starts a killed server again, on the same port and with the same objects.
func (s *S3) Restart(ctx context.Context) error {
	s.Kill()
	next, err := s.again.Run(ctx)
	if err != nil {
		return err
	}
	s.Server = next
	return nil
}
