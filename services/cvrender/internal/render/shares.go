package render

import "sync"

// shares counts the concurrent requests of each share.
type shares struct {
	mu     sync.Mutex
	max    int
	inside map[string]int
}

func newShares(limit int) *shares { return &shares{max: limit, inside: map[string]int{}} }

// enter accepts a request if its share is below the limit. If it does, the caller must call leave.
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
