package backing

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Kill kills the server and its backends, and waits until they have exited. Each backend has its
// own session, so a signal to the postmaster's process group does not reach it.
func (p *Postgres) Kill() {
	select {
	case <-p.Done():
		return // the process id may have been reused
	default:
	}
	_ = p.Signal(syscall.SIGSTOP) // so that it starts no more backends
	backends := backendsOf(p.Pid())
	p.Server.Kill()
	for _, b := range backends {
		b.kill()
	}
}

// Freeze stops the server while its connections stay open. The kernel buffers the data that clients
// send.
func (p *Postgres) Freeze() error { return p.signalAll(unix.SIGSTOP) }

// Thaw resumes a frozen server, which then processes the buffered data.
func (p *Postgres) Thaw() error { return p.signalAll(unix.SIGCONT) }

// signalAll signals the postmaster first, so that it starts no more backends, and then the
// backends.
func (p *Postgres) signalAll(s syscall.Signal) error {
	if err := p.Signal(s); err != nil {
		return err
	}
	for _, b := range backendsOf(p.Pid()) {
		// A backend may have exited in the meantime.
		_ = unix.PidfdSendSignal(int(b), s, nil, 0)
		_ = unix.Close(int(b))
	}
	return nil
}

// backend is the pidfd of a process (pidfd_open(2)). Unlike a process id, it is never reused.
type backend int

func backendsOf(postmaster int) (found []backend) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", postmaster))
	if err != nil {
		return nil // this kernel has no such list; the backends exit by themselves
	}
	for _, field := range strings.Fields(string(raw)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			continue
		}
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			found = append(found, backend(fd))
		}
	}
	return found
}

// kill kills the process and waits until it has exited.
func (b backend) kill() {
	defer unix.Close(int(b))
	_ = unix.PidfdSendSignal(int(b), unix.SIGKILL, nil, 0)
	for {
		if _, err := unix.Poll([]unix.PollFd{{Fd: int32(b), Events: unix.POLLIN}}, -1); !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
