package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"vitae.internal/pkg/errs"
)

// retryAfter is how long callers shall wait if the database is down.
const retryAfter = 2 * time.Second

// Unavailable turns the error of a server that is down, stopping or out of reach into an
// Unavailable error, so that nobody takes it for an answer about data. It returns other
// errors unchanged.
func Unavailable(err error) error {
	if err == nil || !isDown(err) {
		return err
	}
	return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").
		WithCause(err).WithRetryAfter(retryAfter)
}

// downClasses are the classes of SQLSTATE for a server that cannot work now (Postgres
// manual, appendix A): connection exception, insufficient resources, operator
// intervention. Code 25006 comes from a server that has become a read-only standby.
var downClasses = map[string]bool{"08": true, "53": true, "57": true}

func isDown(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return downClasses[server.Code[:2]] || server.Code == "25006"
	}
	if errors.Is(err, pgx.ErrNoRows) || errors.Is(err, context.Canceled) {
		return false
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, puddle.ErrClosedPool)
}

// named is an error of a store, with the operation that failed.
type named struct {
	operation string
	cause     error
}

func (n *named) Error() string { return n.operation + ": " + n.cause.Error() }

func (n *named) Unwrap() error { return n.cause }

// Named says in which operation of a store the database has failed, and whether it is
// down. An error that has a name keeps it: the statement says more than the transaction
// around it.
func Named(operation string, err error) error {
	var inner *named
	if err == nil || errors.As(err, &inner) {
		return err
	}
	return &named{operation, Unavailable(err)}
}
