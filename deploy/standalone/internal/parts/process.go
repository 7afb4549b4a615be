package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"time"

	"vitae.internal/pkg/child"
	"vitae.internal/pkg/config"
)

// opsVariable is where a part serves its readiness.
const opsVariable = "VITAE_OPS_ADDR"

// InProcesses gives a Start that runs each part from its binary in the folder
// programs.
func InProcesses(programs string) Start {
	return func(_ context.Context, name string, e config.Environment, log io.Writer) (Running, error) {
		if e[opsVariable] == "" {
			addr, err := freeAddr()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			e = e.With(config.Environment{opsVariable: addr})
		}
		return Program(filepath.Join(programs, name), e, log, "http://"+e[opsVariable]+"/readyz")
	}
}

// process is a part in a process of its own.
type process struct {
	*child.Process
	name, readyURL string
}

// Program starts a program that answers 200 at readyURL when it is ready.
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

// Ready asks the program whether it is ready. That it does not listen yet is an error
// like any other.
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
		return fmt.Errorf("%s answers %s", p.readyURL, res.Status)
	}
	return nil
}

// Err says how the process ended. It is never nil: a part that ends by itself has failed.
func (p *process) Err() error {
	if err := p.Process.Err(); err != nil {
		return err
	}
	return errors.New("it ended with status 0")
}

// Ports of operations endpoints lie below those that the kernel gives to outgoing
// connections (net.ipv4.ip_local_port_range): one of these could take the port
// before the part listens.
const (
	lowestPort  = 12000
	highestPort = 32000
)

// freeAddr is a loopback address that nobody listened on a moment ago.
func freeAddr() (string, error) {
	var last error
	for range 100 {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(lowestPort+rand.IntN(highestPort-lowestPort)))
		l, err := net.Listen("tcp4", addr)
		if err == nil {
			return addr, l.Close()
		}
		last = err
	}
	return "", fmt.Errorf("find a free port: %w", last)
}
