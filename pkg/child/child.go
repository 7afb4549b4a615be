package child

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Options configures a child process. Cmd and Name are required.
type Options struct {
	// Cmd is the command, which must not be started yet. Start adds to its SysProcAttr and
	// preserves its Credential.
	Cmd *exec.Cmd
	// Name identifies the process in error messages.
	Name string
	// End is the signal that stops the process. The default is SIGTERM. The kernel also sends it
	// when the parent dies.
	End syscall.Signal
}

// Process is a started child process.
type Process struct {
	name string
	end  syscall.Signal
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

func Start(o Options) (*Process, error) {
	if o.End == 0 {
		o.End = syscall.SIGTERM
	}
	attr := o.Cmd.SysProcAttr
	if attr == nil {
		attr = &syscall.SysProcAttr{}
	}
	attr.Setpgid = true
	attr.Pdeathsig = o.End
	o.Cmd.SysProcAttr = attr

	p := &Process{name: o.Name, end: o.End, cmd: o.Cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Name, err)
	}
	return p, nil
}

// run starts the child and waits for it on a locked thread: the kernel sends the parent-death
// signal when the *thread* that started the child exits, and the Go runtime ends idle threads
// (https://go.dev/issue/27505).
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	// Until Wait has reaped the child, its process id, which is also the id of its group, cannot be
	// reused. It is therefore safe to kill the rest of the group now.
	awaitEnd(p.cmd.Process.Pid)
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	p.err = p.cmd.Wait()
	close(p.done)
}

// awaitEnd waits until a child has exited, without reaping it (waitid(2), WNOWAIT).
func awaitEnd(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// Pid returns the process id of the child.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the child has exited.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err waits until the child has exited, and returns its error, or nil for exit status 0.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Signal sends a signal only to the child. It returns nil if the child has already exited.
func (p *Process) Signal(s os.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	return nil
}

// Stop sends the end signal and waits until the child has exited. If ctx is done first, it kills
// the child's process group and returns an error.
func (p *Process) Stop(ctx context.Context) error {
	if err := p.Signal(p.end); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		p.Kill()
		return fmt.Errorf("%s did not stop in time and was killed: %w", p.name, ctx.Err())
	}
}

// Kill kills the child's process group and waits until the child has exited.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return // the process id may have been reused
	default:
	}
	_ = syscall.Kill(-p.Pid(), syscall.SIGKILL)
	<-p.done
}
