package credentials

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Cleanup deletes rows that are no longer needed, and counts credentials that expire soon.
type Cleanup struct{ DB *db.DB }

func (s *Cleanup) DeleteDead(ctx context.Context, before time.Time, atMost int32) (more bool, err error) {
	return deleteBatches(atMost,
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredSessions(ctx, sqlc.DeleteExpiredSessionsParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredCodes(ctx, sqlc.DeleteExpiredCodesParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredAccessTokens(ctx, sqlc.DeleteExpiredAccessTokensParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredFamilies(ctx, sqlc.DeleteExpiredFamiliesParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteRevokedFamilies(ctx, sqlc.DeleteRevokedFamiliesParams{Before: &before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteEndedLinks(ctx, sqlc.DeleteEndedLinksParams{Before: &before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredDevices(ctx, sqlc.DeleteExpiredDevicesParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredConsoleSessions(ctx, sqlc.DeleteExpiredConsoleSessionsParams{Before: before, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredInvitations(ctx, sqlc.DeleteExpiredInvitationsParams{Before: before, AtMost: atMost})
		},
	)
}

func (s *Cleanup) DeleteIdle(ctx context.Context, now time.Time, atMost int32) (more bool, err error) {
	return deleteBatches(atMost,
		func() (int64, error) {
			return s.DB.Q.DeleteIdleCeilings(ctx, sqlc.DeleteIdleCeilingsParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeletePastTurns(ctx, sqlc.DeletePastTurnsParams{Before: now.Add(-ceiling.Forget), AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredSignUps(ctx, sqlc.DeleteExpiredSignUpsParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredPasswordResets(ctx, sqlc.DeleteExpiredPasswordResetsParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteExpiredCeremonies(ctx, sqlc.DeleteExpiredCeremoniesParams{Before: now, AtMost: atMost})
		},
		func() (int64, error) {
			return s.DB.Q.DeleteFullMailBudgets(ctx, sqlc.DeleteFullMailBudgetsParams{Before: now, AtMost: atMost})
		},
	)
}

func deleteBatches(atMost int32, batches ...func() (int64, error)) (more bool, err error) {
	for _, batch := range batches {
		n, err := batch()
		if err != nil {
			return false, db.ErrorOf("clean up", err, nil)
		}
		more = more || n >= int64(atMost)
	}
	return more, nil
}

func (s *Cleanup) CountEnding(ctx context.Context, after, until time.Time) (secrets, keys int64, err error) {
	if secrets, err = s.DB.Q.CountEndingSecrets(ctx, sqlc.CountEndingSecretsParams{After: &after, Until: &until}); err != nil {
		return 0, 0, db.ErrorOf("count ending secrets", err, nil)
	}
	keys, err = s.DB.Q.CountEndingApiKeys(ctx, sqlc.CountEndingApiKeysParams{After: &after, Until: &until})
	return secrets, keys, db.ErrorOf("count ending keys", err, nil)
}
