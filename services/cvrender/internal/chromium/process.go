package chromium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/chromedp/chromedp"

	"vitae.internal/pkg/child"
)

// process is a running Chromium with its process group, pipe and files.
type process struct {
	child  *child.Process
	pipe   *chromedp.PipeConn
	output *tail
	home   string
	lock   *os.File // lock on the home directory

	stopOnce sync.Once
	stopErr  error
}

// startProcess starts Chromium with its debugging pipe on file descriptors 3 (commands) and 4
// (responses).
func startProcess(path, home string, acct account) (p *process, err error) {
	var files []*os.File
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	openPipe := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		if r, w, err = os.Pipe(); err == nil {
			files = append(files, r, w)
		}
		return r, w
	}
	commandR, commandW := openPipe()
	answerR, answerW := openPipe()
	outputR, outputW := openPipe()
	if err != nil {
		return nil, fmt.Errorf("chromium: pipe: %w", err)
	}
	cmd := exec.Command(path, arguments(home)...)
	cmd.Dir = home
	cmd.Env = environment(home)
	cmd.Stdout, cmd.Stderr = outputW, outputW
	cmd.ExtraFiles = []*os.File{commandR, answerW}
	cmd.SysProcAttr = acct.isolate()
	started, err := child.Start(child.Options{Cmd: cmd, Name: "chromium", End: killSignal})
	if err != nil {
		return nil, fmt.Errorf("chromium: %w", err)
	}
	files = []*os.File{commandR, answerW, outputW} // close these ends; the other ends stay open
	p = &process{child: started, pipe: chromedp.NewPipeConn(answerR, commandW), output: &tail{}, home: home}
	go func() {
		defer outputR.Close()
		_, _ = io.Copy(p.output, outputR)
	}()
	return p, nil
}

// stop kills the whole process group and removes the files. SIGKILL is safe, because Chromium has
// nothing to save.
func (p *process) stop() error {
	p.stopOnce.Do(func() {
		p.child.Kill()
		p.stopErr = errors.Join(ignoreClosed(p.pipe.Close()), removeHome(p.home), p.lock.Close())
	})
	return p.stopErr
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// tail stores the end of Chromium's output. If the start fails, the error includes it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

// attacher connects chromedp to a Chromium that this package has started. chromedp's own allocator
// is not used. It leaves other processes in the group running when the first process dies, and it
// creates the profile where an unprivileged user cannot reach it.
type attacher struct{ p *process }

func (a attacher) Allocate(ctx context.Context, opts ...chromedp.BrowserOption) (*chromedp.Browser, error) {
	return chromedp.NewBrowserTransport(ctx, a.p.pipe, opts...)
}

// Wait does nothing, because type process waits for its child.
func (attacher) Wait() {}

func (attacher) Attaches() bool { return true }
