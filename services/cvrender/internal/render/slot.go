package render

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vitae.internal/services/cvrender/internal/pdf"
)

const (
	// launchTimeout limits how long starting a browser may take. It usually takes a second.
	launchTimeout = 30 * time.Second
	// trust is how long a browser that has worked is not pinged again.
	trust = time.Second
	// pingTimeout limits how long a ping may take. It usually takes a millisecond.
	pingTimeout = 3 * time.Second
	// Pauses after failed starts.
	firstPause, longestPause = 250 * time.Millisecond, 10 * time.Second
)

// probe is the smallest document that uses every feature that a CV needs.
const probe = `<!DOCTYPE html><html lang="en"><title>Probe</title><h1>Probe</h1><p>Ready – جاهز</p></html>`

// slot keeps one browser running, and prints with it.
type slot struct {
	pool    *Pool
	browser Browser
	printed int
	alive   time.Time // when the browser last worked

	mu  sync.Mutex
	err error // why it cannot currently print
}

// failure returns the reason why the slot cannot currently print, or nil if it can.
func (s *slot) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *slot) setFailure(err error) {
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

// step waits for one event and handles it.
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
		if _, err := s.print(probe, ""); err != nil {
			s.pool.log.Warn("chromium failed its probe, starting another", "error", err)
		}
	}
}

// start starts a browser. The browser must print the probe before it is used for documents.
func (s *slot) start() error {
	ctx, cancel := context.WithTimeout(s.pool.closing, launchTimeout)
	defer cancel()
	b, err := s.pool.launch(ctx)
	started[err == nil].Inc()
	if err != nil {
		s.setFailure(err)
		return err
	}
	s.browser, s.printed = b, 0
	if _, err := s.print(probe, ""); err != nil {
		return err
	}
	s.pool.sawVersion(b.Version())
	return nil
}

// refuse rejects the jobs that arrive during the pause after a failed start.
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

// serve prints a job. If the browser is lost, serve replaces it once. A document that has cost two browsers
// does not get a third one.
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
	start := time.Now()
	s.pool.busy.Add(1)
	defer s.pool.busy.Add(-1)
	defer func() { prints[err == nil].Observe(time.Since(start).Seconds()) }()
	for range 2 {
		if s.browser == nil {
			if err = s.start(); err != nil {
				break
			}
		}
		version = s.browser.Version()
		if file, err = s.print(j.html, j.author); !isLost(err) {
			break
		}
		s.pool.log.Warn("chromium was lost while printing", "error", err)
	}
	s.pool.finish(j, file, version, err)
	if s.browser != nil && s.printed >= s.pool.limits.Recycle {
		// Start the next browser now, before a caller has to wait for it.
		s.drop(nil)
	}
}

// print prints a document, then checks and refines the file. If printing fails or the file is invalid, it
// drops the browser. If the file cannot be refined, print returns it as Chromium wrote it, because people
// must still get their CVs if an update of Chromium writes files differently.
func (s *slot) print(html, author string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(s.pool.closing, s.pool.limits.Deadline)
	defer cancel()
	file, err := s.browser.Print(ctx, html)
	if err == nil {
		err = pdf.Check(file)
	}
	if err != nil {
		s.drop(err)
		return nil, fmt.Errorf("render: %w", err)
	}
	s.printed++
	s.alive = time.Now()
	s.setFailure(nil)
	refined, err := s.pool.refiner.Refine(file, pdf.Metadata{Author: author})
	if err == nil {
		return refined, nil
	}
	s.pool.log.Warn("cannot refine the PDF; returning it as Chromium wrote it", "error", err)
	if err := pdf.Stabilize(file); err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	return file, nil
}

// drop closes the browser. If failure is nil, the browser is merely being replaced, and the slot still
// counts as able to print.
func (s *slot) drop(failure error) {
	s.setFailure(failure)
	if s.browser == nil {
		return
	}
	ended[failure == nil || errors.Is(failure, errClosing)].Inc()
	if err := s.browser.Close(); err != nil {
		s.pool.log.Error("cannot remove files of Chromium", "error", err)
	}
	s.browser = nil
}
