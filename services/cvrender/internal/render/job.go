package render

import (
	"context"
	"fmt"
	"time"

	"vitae.internal/pkg/errs"
)

// job is a document that is to be printed.
type job struct {
	key, share, html string
	// author is the person's name, for the PDF's metadata.
	author  string
	waiters int // guarded by Pool.mu
	// done is closed when doc or err is set.
	done chan struct{}
	doc  *Document
	err  error
}

// print prints a document and waits for the result. Callers with the same key share one job, which continues
// if only some of them give up.
func (p *Pool) print(ctx context.Context, wanted job) (*Document, error) {
	j, err := p.join(wanted)
	if err != nil {
		return nil, err
	}
	defer p.leave(j)
	select {
	case <-j.done:
		return j.doc, j.err
	case <-ctx.Done():
		return nil, fmt.Errorf("render: %w", ctx.Err())
	case <-p.closing.Done():
		return nil, errUnprintable(errClosing)
	}
}

// join adds a caller to the job with the given key. It creates the job if necessary.
func (p *Pool) join(wanted job) (*job, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j, ok := p.jobs[wanted.key]; ok {
		j.waiters++
		return j, nil
	}
	j := &wanted
	j.waiters, j.done = 1, make(chan struct{})
	if !p.queue.push(j) {
		turnedAway.Inc()
		return nil, errs.New(errs.Unavailable, errs.CodeUnavailable, "Too many CVs are being rendered now.").
			WithRetryAfter(2 * time.Second)
	}
	p.jobs[j.key] = j
	return j, nil
}

// leave removes a caller from a job. If the job is waiting and has no other callers, leave also removes it
// from the queue. A job in progress continues, because stopping it would destroy the browser, and starting a
// new browser takes longer.
func (p *Pool) leave(j *job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j.waiters--; j.waiters == 0 && p.queue.remove(j) {
		delete(p.jobs, j.key)
	}
}

// finish sets the result of a job and wakes its callers.
func (p *Pool) finish(j *job, file []byte, version string, err error) {
	if err != nil {
		j.err = errUnprintable(err)
	} else {
		j.doc = &Document{ETag: etag(j.key, version), PDF: file}
		p.cache.put(j.doc)
	}
	p.mu.Lock()
	delete(p.jobs, j.key)
	p.mu.Unlock()
	close(j.done)
}
