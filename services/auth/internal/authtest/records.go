package authtest

import (
	"context"
	"slices"
	"sync"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
)

// Records is a revocation.Records that remembers which session records were deleted.
type Records struct {
	mu       sync.Mutex
	hashes   []credential.Digest
	accounts []string
	fault    error
}

var _ revocation.Records = (*Records)(nil)

// Break makes every deletion fail with fault, or succeed again if fault is nil.
func (r *Records) Break(fault error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = fault
}

func (r *Records) Forget(_ context.Context, _ string, hashes []credential.Digest) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hashes = append(r.hashes, hashes...)
	return r.fault
}

func (r *Records) ForgetAccount(_ context.Context, accountID string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.accounts = append(r.accounts, accountID)
	return r.fault
}

// Forgot reports whether a credential's record has been deleted since the last Reset.
func (r *Records) Forgot(secret string) bool { return r.ForgotHash(credential.Hash(secret)) }

// ForgotHash is like Forgot, but takes the credential's hash.
func (r *Records) ForgotHash(hash credential.Digest) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.hashes, hash)
}

// ForgotAccount reports whether all of an account's records have been deleted since the last Reset.
func (r *Records) ForgotAccount(accountID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.accounts, accountID)
}

// Reset clears the list of deleted records.
func (r *Records) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hashes, r.accounts = nil, nil
}
