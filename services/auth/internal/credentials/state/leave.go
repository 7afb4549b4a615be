package state

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
)

// LeaveToken writes the session record of a live access token that a client has introspected, so that the gateway
// finds the record when the token is used. It creates no durable link: if the token's connection lacks one, the
// record is written only when the token is resolved. If no record can be written, the gateway calls the auth service
// when the token is used.
func (s *Service) LeaveToken(ctx context.Context, accountID string, hash credential.Digest) {
	s.leave(ctx, accountID, hash, func(now time.Time) (Record, bool) {
		state, err := s.store.Read(ctx, AccessToken, hash, now)
		if err != nil {
			return Record{}, false
		}
		record, err := state.record(AccessToken, s.plans)
		return record, err == nil && !record.lacksLink()
	})
}

// LeaveClient writes the session record of a client that has authenticated with the secret. It reads the secret
// again under the lease, because the secret may have been revoked in the meantime.
func (s *Service) LeaveClient(ctx context.Context, accountID, clientID string, secret credential.Digest) {
	s.leave(ctx, accountID, credential.ClientDigest(clientID, secret), func(now time.Time) (Record, bool) {
		state, err := s.store.ReadClientSecret(ctx, clientID, secret, now)
		if err != nil {
			return Record{}, false
		}
		record, err := state.record(ClientSecret, s.plans)
		return record, err == nil
	})
}

// leave acquires a lease, calls read to get the record from Postgres, and writes the record to Redis.
func (s *Service) leave(ctx context.Context, accountID string, hash credential.Digest, read func(now time.Time) (Record, bool)) {
	for range fillTries {
		lease := s.begin(ctx, accountID, hash)
		if lease == nil {
			return
		}
		record, live := read(s.clock.Now())
		if !live || record.AccountID != accountID {
			return
		}
		s.afterRead()
		written, err := lease.Complete(ctx, record, s.clock.Now())
		if err != nil {
			s.restFrom(ctx, err)
		}
		if err != nil || written {
			return
		}
	}
}
