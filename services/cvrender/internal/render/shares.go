package render

import "sync"

// shares counts the concurrent requests per share.
type shares struct {
	mu     sync.Mutex
	max    int
	inside map[string]int
}

func newShares(limit int) *shares { return &shares{max: limit, inside: map[string]int{}} }

// enter admits a request if its share is below the limit. If the request is admitted, the caller
// must call leave afterwards.
func (s *shares) enter(share string) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside[share] >= s.max {
		return nil, false
	}
	s.inside[share]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.inside[share]--; s.inside[share] == 0 {
			delete(s.inside, share)
		}
	}, true
}
