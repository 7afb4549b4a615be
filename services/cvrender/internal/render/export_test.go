package render

// Waiting returns the number of documents in the queue.
func (p *Pool) Waiting() int { return p.queue.waiting() }

// Joined returns the number of callers that are waiting for a document.
func (p *Pool) Joined() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, j := range p.jobs {
		n += j.waiters
	}
	return n
}
