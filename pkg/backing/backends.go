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

// Kill ends the server at once and waits until nothing of it answers any more.
// Each backend has a session of its own. The signal to the postmaster's group does
// not reach it, and it would serve on until it notices that the postmaster is gone.
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

// Freeze stops the server from answering while its connections stay open: what clients
// send waits in the buffers of the kernel. Thaw ends that.
func (p *Postgres) Freeze() error { return p.signalAll(unix.SIGSTOP) }

// Thaw lets a frozen server go on. It runs what clients have sent meanwhile.
func (p *Postgres) Thaw() error { return p.signalAll(unix.SIGCONT) }

// signalAll signals the postmaster first, which so starts no backend meanwhile, and then
// its backends.
func (p *Postgres) signalAll(s syscall.Signal) error {
	if err := p.Signal(s); err != nil {
		return err
	}
	for _, b := range backendsOf(p.Pid()) {
		// A backend may have ended meanwhile.
		_ = unix.PidfdSendSignal(int(b), s, nil, 0)
		_ = unix.Close(int(b))
	}
	return nil
}

// backend is the pidfd of a process (pidfd_open(2)). Unlike a process id it never
// comes to name another process.
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
