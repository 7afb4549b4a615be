package authtest

import (
	"context"
	"sync"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/oauth/token"
)

// Left is a token.Records that remembers which session records were written.
type Left struct {
	mu   sync.Mutex
	told []string
}

var _ token.Records = (*Left)(nil)

func (l *Left) LeaveToken(_ context.Context, accountID string, hash credential.Digest) {
	l.add("token of " + accountID + " " + string(hash[:]))
}

func (l *Left) LeaveClient(_ context.Context, accountID, clientID string, secret credential.Digest) {
	l.add("client " + clientID + " of " + accountID + " " + string(secret[:]))
}

func (l *Left) add(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = append(l.told, what)
}

// Take returns the records written since the last Take.
func (l *Left) Take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := l.told
	l.told = nil
	return told
}
