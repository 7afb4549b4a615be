package authtest

import (
	"context"
	"sync"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/token"
)

// Left stands for who leaves session records, and remembers of what.
type Left struct {
	mu   sync.Mutex
	told []string
}

var _ token.Records = (*Left)(nil)

// LeaveToken implements token.Records.
func (l *Left) LeaveToken(_ context.Context, accountID string, hash credential.Digest) {
	l.add("token of " + accountID + " " + string(hash[:]))
}

// LeaveClient implements token.Records.
func (l *Left) LeaveClient(_ context.Context, accountID, clientID string, secret credential.Digest) {
	l.add("client " + clientID + " of " + accountID + " " + string(secret[:]))
}

func (l *Left) add(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = append(l.told, what)
}

// Take gives what was left since the last Take.
func (l *Left) Take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := l.told
	l.told = nil
	return told
}
