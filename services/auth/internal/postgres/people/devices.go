package people

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func (s *Sessions) CountDeviceAttempt(ctx context.Context, device credential.Digest, emailKey string, now time.Time, most int32) (bool, error) {
	n, err := s.DB.Q.CountDeviceAttempt(ctx, sqlc.CountDeviceAttemptParams{Hash: device[:], EmailKey: emailKey, At: now, Most: most})
	return n > 0, db.ErrorOf("count attempt of a device", err, nil)
}

func (s *Sessions) UncountDeviceAttempt(ctx context.Context, device credential.Digest, emailKey string) error {
	return db.ErrorOf("uncount attempt of a device", s.DB.Q.UncountDeviceAttempt(ctx,
		sqlc.UncountDeviceAttemptParams{Hash: device[:], EmailKey: emailKey}), nil)
}

func (s *Sessions) RenewDevice(ctx context.Context, device credential.Digest, personID string, now, expiresAt time.Time) error {
	return db.ErrorOf("renew device", s.DB.Q.RenewDevice(ctx,
		sqlc.RenewDeviceParams{Hash: device[:], PersonID: personID, At: now, ExpiresAt: expiresAt}), nil)
}

func (s *Sessions) ConfirmDevice(ctx context.Context, device credential.Digest, personID string, now, expiresAt time.Time) (bool, error) {
	n, err := s.DB.Q.ConfirmMovedDevice(ctx, sqlc.ConfirmMovedDeviceParams{Hash: device[:], PersonID: personID, At: now, ExpiresAt: expiresAt})
	return n > 0, db.ErrorOf("confirm device", err, nil)
}

func (s *Sessions) AddDevice(ctx context.Context, device, previous credential.Digest, personID string, now, expiresAt time.Time, most int32) error {
	return s.DB.Tx(ctx, "add device", func(t db.Transaction) error {
		q := t.Queries
		// The statements below lock only rows of the people locked here.
		if err := q.LockPeopleOfDevice(ctx, sqlc.LockPeopleOfDeviceParams{PersonID: personID, Hash: previous[:]}); err != nil {
			return err
		}
		if err := q.ForgetDevice(ctx, sqlc.ForgetDeviceParams{Hash: previous[:], PersonID: personID}); err != nil {
			return err
		}
		if err := q.MoveDevice(ctx, sqlc.MoveDeviceParams{Hash: device[:], PreviousHash: previous[:]}); err != nil {
			return err
		}
		if err := q.ForgetEarlierMoves(ctx, device[:]); err != nil {
			return err
		}
		if err := q.ForgetOldestDevices(ctx, sqlc.ForgetOldestDevicesParams{PersonID: personID, Keep: most - 1}); err != nil {
			return err
		}
		return q.AddDevice(ctx, sqlc.AddDeviceParams{Hash: device[:], PersonID: personID, At: now, ExpiresAt: expiresAt})
	})
}
