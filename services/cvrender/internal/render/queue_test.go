package render

import (
	"slices"
	"testing"
)

// line returns a queue with one job for each letter in shares. The letter is the share, and the position
// identifies the job.
func line(t *testing.T, shares string) (*queue, []*job) {
	t.Helper()
	q := newQueue(len(shares))
	var jobs []*job
	for _, share := range shares {
		j := &job{share: string(share)}
		if !q.push(j) {
			t.Fatalf("the queue for %d jobs is full after %d", len(shares), len(jobs))
		}
		jobs = append(jobs, j)
	}
	return q, jobs
}

// places empties a queue, and returns the positions of the jobs in the order in which they were taken.
func places(t *testing.T, q *queue, jobs []*job) (out []int) {
	t.Helper()
	for j := q.pop(); j != nil; j = q.pop() {
		out = append(out, slices.Index(jobs, j))
	}
	if q.size != 0 || len(q.shares)+len(q.turns) != 0 {
		t.Errorf("remaining: %d, %v, %v", q.size, q.shares, q.turns)
	}
	return out
}

func TestQueueIsRoundRobinAfterRemovals(t *testing.T) {
	for _, c := range []struct {
		shares string
		remove []int
		want   []int
	}{
		{"", nil, nil}, {"aaa", nil, []int{0, 1, 2}}, {"aaabbc", nil, []int{0, 3, 5, 1, 4, 2}}, {"abab", nil, []int{0, 1, 2, 3}},
		{"aaaa", []int{0}, []int{1, 2, 3}}, {"aaaa", []int{1}, []int{0, 2, 3}}, {"aaaa", []int{3}, []int{0, 1, 2}}, {"aaaa", []int{2, 0}, []int{1, 3}},
		{"abc", []int{0}, []int{1, 2}}, {"abc", []int{1}, []int{0, 2}}, {"abc", []int{2}, []int{0, 1}}, {"aab", []int{1, 0}, []int{2}}, {"ab", []int{0, 1}, nil},
	} {
		q, jobs := line(t, c.shares)
		for _, at := range c.remove {
			if !q.remove(jobs[at]) {
				t.Errorf("%s: job %d is missing", c.shares, at)
			}
			if q.remove(jobs[at]) {
				t.Errorf("%s: job %d was removed twice", c.shares, at)
			}
		}
		if got := places(t, q, jobs); !slices.Equal(got, c.want) {
			t.Errorf("%s without %v: %v, want %v", c.shares, c.remove, got, c.want)
		}
	}
}

// The queue limits the number of jobs, and has a token for each waiting job.
func TestRemovedJobFreesQueueSlot(t *testing.T) {
	q, jobs := line(t, "aab")
	if q.push(&job{share: "c"}) {
		t.Error("the queue accepts more than its size")
	}
	for range 3 {
		if !q.remove(jobs[1]) {
			t.Fatal("the job is missing")
		}
		if jobs[1] = (&job{share: "a"}); !q.push(jobs[1]) || len(q.ready) != 3 || q.size != 3 {
			t.Fatalf("%d jobs are waiting, with %d tokens", q.size, len(q.ready))
		}
	}
	if q.remove(&job{share: "a"}) || q.remove(&job{share: "nobody's"}) {
		t.Error("a missing job was removed")
	}
	first := q.pop()
	if first != jobs[0] || q.remove(first) || q.size != 2 {
		t.Errorf("%d jobs are waiting", q.size)
	}
}
