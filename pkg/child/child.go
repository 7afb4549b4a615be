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

// Options say how a child starts and ends. Cmd and Name are required.
type Options struct {
	// Cmd is what to run, not yet started. Its SysProcAttr is completed, not
	// replaced, so a lowered Credential stays.
	Cmd *exec.Cmd
	// Name is what error messages call the process.
	Name string
	// End is the signal that asks the process to stop; SIGTERM unless set. The
	// kernel sends the same one when the parent dies.
	End syscall.Signal
}

// Process is a started child.
type Process struct {
	name string
	end  syscall.Signal
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Start starts the child.
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

// run starts the child and waits for it on one locked thread: the kernel
// delivers the parent-death signal when the starting *thread* ends, and the Go
// runtime ends idle threads (https://go.dev/issue/27505).
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	// Until Wait has reaped the child, its process id, which is also the id of its
	// group, cannot be given to another process. So this is the moment to end what the
	// child has left behind.
	awaitEnd(p.cmd.Process.Pid)
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	p.err = p.cmd.Wait()
	close(p.done)
}

// awaitEnd waits until a child has ended, without reaping it (waitid(2), WNOWAIT).
func awaitEnd(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// Pid is the child's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the child ended: nil for status 0. Only after Done.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Signal sends a signal to the child alone. A child that has ended is no error.
func (p *Process) Signal(s os.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	return nil
}

// Stop asks the child to end and waits; when ctx ends first, it kills the
// child's whole process group. It returns an error only for a child that had to
// be killed.
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

// Kill ends the child and what it started at once, and waits until it is gone.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return // the id may belong to another process by now
	default:
	}
	_ = syscall.Kill(-p.Pid(), syscall.SIGKILL)
	<-p.done
}
