package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/credentials/cleanup"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ cleanup.Store = (*Store)(nil)

func (s *Store) DeleteDead(ctx context.Context, before time.Time, atMost int32) (more bool, err error) {
	return deleteBatches(atMost,
		func() (int64, error) {
			return s.q.DeleteExpiredSessions(ctx, sqlc.DeleteExpiredSessionsParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredCodes(ctx, sqlc.DeleteExpiredCodesParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredAccessTokens(ctx, sqlc.DeleteExpiredAccessTokensParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredFamilies(ctx, sqlc.DeleteExpiredFamiliesParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteRevokedFamilies(ctx, sqlc.DeleteRevokedFamiliesParams{Before: &before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteEndedLinks(ctx, sqlc.DeleteEndedLinksParams{Before: &before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredDevices(ctx, sqlc.DeleteExpiredDevicesParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredConsoleSessions(ctx, sqlc.DeleteExpiredConsoleSessionsParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredInvitations(ctx, sqlc.DeleteExpiredInvitationsParams{Before: before, AtMost: atMost})
		},
	)
}

func (s *Store) DeleteIdle(ctx context.Context, now time.Time, atMost int32) (more bool, err error) {
	return deleteBatches(atMost,
		func() (int64, error) {
			return s.q.DeleteIdleCeilings(ctx, sqlc.DeleteIdleCeilingsParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeletePastTurns(ctx, sqlc.DeletePastTurnsParams{Before: now.Add(-ceiling.Forget), AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredSignUps(ctx, sqlc.DeleteExpiredSignUpsParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredPasswordResets(ctx, sqlc.DeleteExpiredPasswordResetsParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteExpiredCeremonies(ctx, sqlc.DeleteExpiredCeremoniesParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.q.DeleteFullMailBudgets(ctx, sqlc.DeleteFullMailBudgetsParams{Before: now, AtMost: atMost})
		},
	)
}

func deleteBatches(atMost int32, batches ...func() (int64, error)) (more bool, err error) {
	for _, batch := range batches {
		n, err := batch()
		if err != nil {
			return false, errorOf("clean up", err, nil)
		}
		more = more || n >= int64(atMost)
	}
	return more, nil
}
