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

// Kill kills the server and its backends, and waits until they have ended. Each backend has its own
// session, so a signal to the postmaster's group does not reach it.
func (p *Postgres) Kill() {
	select {
	case <-p.Done():
		return // the process id may belong to another by now
	default:
	}
	_ = p.Signal(syscall.SIGSTOP) // it starts no backend from here on
	backends := backendsOf(p.Pid())
	p.Server.Kill()
	for _, b := range backends {
		b.kill()
	}
}

// Freeze stops the server while its connections stay open. The kernel buffers what clients send.
func (p *Postgres) Freeze() error { return p.signalAll(unix.SIGSTOP) }

// Thaw continues a frozen server, which then executes what clients have sent.
func (p *Postgres) Thaw() error { return p.signalAll(unix.SIGCONT) }

// signalAll signals the postmaster first, so that it starts no more backends, and then its
// backends.
func (p *Postgres) signalAll(s syscall.Signal) error {
	if err := p.Signal(s); err != nil {
		return err
	}
	for _, b := range backendsOf(p.Pid()) {
		// A backend may have ended in the meantime.
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
		return nil // this kernel has no such list; the backends end by themselves
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

// kill ends the process and waits for its end.
func (b backend) kill() {
	defer unix.Close(int(b))
	_ = unix.PidfdSendSignal(int(b), unix.SIGKILL, nil, 0)
	for {
		if _, err := unix.Poll([]unix.PollFd{{Fd: int32(b), Events: unix.POLLIN}}, -1); !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
