package app

import (
	"log/slog"

	"vitae.internal/pkg/clock"
	"vitae.internal/services/candidate/internal/account"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/grpcapi"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/renderer"
)

// personData makes the use cases of all data of a person. Those that they stand on are there.
func (a *App) personData(u *grpcapi.Config, store *postgres.Store, log *slog.Logger) error {
	accounts, err := account.New(a.auth)
	if err != nil {
		return err
	}
	pdfs, err := renderer.New(a.renderer, grpcapi.SharedCvToProto)
	if err != nil {
		return err
	}
	if u.Exports, err = export.NewService(export.Config{
		Store: store, Files: a.bucket, Account: accounts, Renderer: pdfs, Shared: u.Shared, Applied: u.Applicants, Photos: u.Photos, Clock: clock.System{}, Log: log,
	}); err != nil {
		return err
	}
	u.Erasures, err = erasure.NewService(store, a.bucket)
	return err
}
