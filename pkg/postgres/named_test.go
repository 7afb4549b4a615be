package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/postgres"
)

func TestNamedKeepsInnerName(t *testing.T) {
	err := postgres.Named("auth store: end family", postgres.Named("auth store: lock connection", pgx.ErrNoRows))
	if got := err.Error(); got != "auth store: lock connection: "+pgx.ErrNoRows.Error() {
		t.Errorf("the message is %q", got)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		t.Error("the error does not wrap its cause")
	}
	if postgres.Named("auth store: ping", nil) != nil {
		t.Error("nil became an error")
	}
}

func TestNamedMarksUnavailableServer(t *testing.T) {
	err := postgres.Named("auth store: ping", &pgconn.PgError{Code: "57P01"}) // admin_shutdown
	if errs.KindOf(err) != errs.Unavailable {
		t.Errorf("a stopping server: %v", err)
	}
}
