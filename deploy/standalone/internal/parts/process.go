package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"sort"
	"time"

	"vitae.internal/pkg/child"
	"vitae.internal/pkg/config"
)

// OpsVariable is the environment variable with the address of a service's readiness endpoint.
const OpsVariable = "VITAE_OPS_ADDR"

// InProcesses returns a Start function that runs each service as a separate process, from its binary in the folder
// programs. The environment must contain OpsVariable.
func InProcesses(programs string) Start {
	return func(_ context.Context, name string, e config.Environment, log io.Writer) (Running, error) {
		return Program(filepath.Join(programs, name), e, log, "http://"+e[OpsVariable]+"/readyz")
	}
}

// process is a service in a separate process.
type process struct {
	*child.Process
	name, readyURL string
}

// Program starts a program. The program is ready when readyURL returns 200.
func Program(path string, e config.Environment, log io.Writer, readyURL string) (Running, error) {
	name := filepath.Base(path)
	cmd := exec.Command(path)
	for k, v := range e {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	sort.Strings(cmd.Env)
	cmd.Stdout, cmd.Stderr = log, log
	p, err := child.Start(child.Options{Cmd: cmd, Name: name})
	if err != nil {
		return nil, fmt.Errorf("%w (`make build` builds it)", err)
	}
	return &process{Process: p, name: name, readyURL: readyURL}, nil
}

func (p *process) Name() string { return p.name }

// Ready requests the readiness URL. It returns an error if the response is not 200 or the program does not listen yet.
func (p *process) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.readyURL, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s returns %s", p.readyURL, res.Status)
	}
	return nil
}

// Err returns the reason why the process exited. It is never nil, because a service that exits without being stopped
// has failed.
func (p *process) Err() error {
	if err := p.Process.Err(); err != nil {
		return err
	}
	return errors.New("it exited with status 0")
}
