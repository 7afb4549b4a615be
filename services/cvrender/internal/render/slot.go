package render

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/pdf"
)

const (
	// launchTimeout is for a browser to start; a second is usual.
	launchTimeout = 30 * time.Second
	// trust is how long after a sign of life no other is asked for.
	trust = time.Second
	// pingTimeout is for a sign of life, which usually takes a millisecond.
	pingTimeout = 3 * time.Second
	// Pauses between failed starts.
	firstPause, longestPause = 250 * time.Millisecond, 10 * time.Second
)

// probe is the smallest document that needs all that a CV needs.
const probe = `<!DOCTYPE html><html lang="en"><title>Probe</title><h1>Probe</h1><p>Ready – جاهز</p></html>`

// slot keeps one browser alive and prints with it.
type slot struct {
	pool    *Pool
	browser Browser
	printed int
	alive   time.Time // the last sign of life

	mu  sync.Mutex
	err error // why it cannot print now
}

func (s *slot) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *slot) setFault(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// run serves jobs until the pool closes.
func (s *slot) run() {
	defer s.drop(errClosing)
	pause := firstPause
	for s.pool.closing.Err() == nil {
		if s.browser == nil {
			if err := s.start(); err != nil {
				if s.pool.closing.Err() != nil {
					return
				}
				s.pool.log.Error("chromium does not start", "error", err)
				s.refuse(err, pause)
				pause = min(2*pause, longestPause)
				continue
			}
			pause = firstPause
		}
		s.step()
	}
}

// step waits for one thing to happen and deals with it.
func (s *slot) step() {
	idle := time.NewTimer(s.pool.limits.Probe)
	defer idle.Stop()
	select {
	case <-s.pool.closing.Done():
	case <-s.browser.Gone():
		s.pool.log.Warn("chromium ended, starting another")
		s.drop(errors.New("chromium ended"))
	case <-s.pool.queue.ready:
		if j := s.pool.queue.pop(); j != nil {
			s.serve(j)
		}
	case <-idle.C:
		if _, err := s.print(probe); err != nil {
			s.pool.log.Warn("chromium failed its probe, starting another", "error", err)
		}
	}
}

// start starts a browser, which must print before it counts.
func (s *slot) start() error {
	ctx, cancel := context.WithTimeout(s.pool.closing, launchTimeout)
	defer cancel()
	b, err := s.pool.launch(ctx)
	if err != nil {
		s.setFault(err)
		return err
	}
	s.browser, s.printed = b, 0
	if _, err := s.print(probe); err != nil {
		return err
	}
	s.pool.sawVersion(b.Version())
	return nil
}

// refuse answers what comes while no browser starts.
func (s *slot) refuse(cause error, pause time.Duration) {
	over := time.NewTimer(pause)
	defer over.Stop()
	for {
		select {
		case <-s.pool.closing.Done():
			return
		case <-over.C:
			return
		case <-s.pool.queue.ready:
			if j := s.pool.queue.pop(); j != nil {
				s.pool.finish(j, nil, "", cause)
			}
		}
	}
}

// serve prints a job. A browser that turns out to be lost is replaced, once: a
// document that loses two of them is not worth a third.
func (s *slot) serve(j *job) {
	if time.Since(s.alive) > trust {
		if err := s.browser.Ping(s.pool.closing, pingTimeout); err != nil {
			s.pool.log.Warn("chromium does not answer, starting another", "error", err)
			s.drop(err)
		}
	}
	var file []byte
	var version string
	var err error
	for range 2 {
		if s.browser == nil {
			if err = s.start(); err != nil {
				break
			}
		}
		version = s.browser.Version()
		if file, err = s.print(j.html); !errors.Is(err, chromium.ErrLost) {
			break
		}
		s.pool.log.Warn("chromium was lost while printing", "error", err)
	}
	s.pool.finish(j, file, version, err)
	if s.browser != nil && s.printed >= s.pool.limits.Recycle {
		// The next one is started before anyone waits for it.
		s.drop(nil)
	}
}

// print prints a document and looks the file over; on any error the browser is
// given up.
func (s *slot) print(html string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(s.pool.closing, s.pool.limits.Deadline)
	defer cancel()
	file, err := s.browser.Print(ctx, html)
	if err == nil {
		err = pdf.Check(file)
	}
	if err == nil {
		err = pdf.Stabilise(file)
	}
	if err != nil {
		s.drop(err)
		return nil, fmt.Errorf("render: %w", err)
	}
	s.printed++
	s.alive = time.Now()
	s.setFault(nil)
	return file, nil
}

// drop closes the browser. Without a fault the slot counts as able to print: it
// is only being renewed.
func (s *slot) drop(fault error) {
	s.setFault(fault)
	if s.browser == nil {
		return
	}
	if err := s.browser.Close(); err != nil {
		s.pool.log.Error("chromium left something behind", "error", err)
	}
	s.browser = nil
}
