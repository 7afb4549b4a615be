package render

import (
	"slices"
	"sync"
)

// queue holds a limited number of waiting jobs. It returns one job of each share, then the next job of each
// share, and so on. So a share with many large CVs delays the others by only one of its CVs at a time
// (behaviour: pdf#fair-queueing).
type queue struct {
	mu     sync.Mutex
	max    int
	size   int
	shares map[string][]*job
	turns  []string
	// ready contains a token for every waiting job.
	ready chan struct{}
}

func newQueue(size int) *queue {
	return &queue{max: size, shares: map[string][]*job{}, ready: make(chan struct{}, size)}
}

// push adds a job. It returns false if the queue is full.
func (q *queue) push(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	// ready may still contain tokens of removed jobs, so its length is not the number of jobs.
	if q.size >= q.max {
		return false
	}
	select {
	case q.ready <- struct{}{}:
	default:
	}
	if len(q.shares[j.share]) == 0 {
		q.turns = append(q.turns, j.share)
	}
	q.shares[j.share] = append(q.shares[j.share], j)
	q.size++
	return true
}

// pop returns the next job. It returns nil if there is none, because the job to which the token belonged was
// removed.
func (q *queue) pop() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size == 0 {
		return nil
	}
	share := q.turns[0]
	q.turns = q.turns[1:]
	j := q.shares[share][0]
	if rest := q.shares[share][1:]; len(rest) > 0 {
		q.shares[share] = rest
		q.turns = append(q.turns, share)
	} else {
		delete(q.shares, share)
	}
	q.size--
	return j
}

func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.size
}

// remove removes a job. It returns false if the job is no longer in the queue.
func (q *queue) remove(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := q.shares[j.share]
	at := slices.Index(waiting, j)
	if at < 0 {
		return false
	}
	q.size--
	if len(waiting) > 1 {
		q.shares[j.share] = slices.Delete(waiting, at, at+1)
		return true
	}
	delete(q.shares, j.share)
	turn := slices.Index(q.turns, j.share)
	q.turns = slices.Delete(q.turns, turn, turn+1)
	return true
}
