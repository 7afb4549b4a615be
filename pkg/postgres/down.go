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

// retryAfter is the time that callers should wait before a retry if the database is down.
const retryAfter = 2 * time.Second

// Unavailable converts an error from a server that is down, stopping or unreachable to an Unavailable
// error, so that it is not mistaken for a statement about data. It returns other errors unchanged.
func Unavailable(err error) error {
	if err == nil || !isDown(err) {
		return err
	}
	return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").
		WithCause(err).WithRetryAfter(retryAfter)
}

// downClasses is the set of SQLSTATE classes that indicate a server that cannot work now (Postgres
// manual, appendix A): connection exception, insufficient resources, operator intervention.
// Additionally, a server that has become a read-only standby returns 25006.
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

// named is an error that names the store operation that failed.
type named struct {
	operation string
	cause     error
}

func (n *named) Error() string { return n.operation + ": " + n.cause.Error() }

func (n *named) Unwrap() error { return n.cause }

// Named adds the failed operation of a store to an error and converts it with Unavailable. If the error
// is already named, Named does not change it: the inner statement is more specific than the transaction
// around it.
func Named(operation string, err error) error {
	var inner *named
	if err == nil || errors.As(err, &inner) {
		return err
	}
	return &named{operation, Unavailable(err)}
}

// StoreError converts the error of an SQL statement to the error of a store: it adds the store and
// the operation, and marks errors of an unreachable database. If missing is not nil, it replaces
// pgx.ErrNoRows. StoreError returns domain errors (*errs.Error) unchanged.
func StoreError(store, operation string, err, missing error) error {
	if err == nil {
		return nil
	}
	if _, domain := errs.As(err); domain {
		return err
	}
	if missing != nil && errors.Is(err, pgx.ErrNoRows) {
		return missing
	}
	return Named(store+": "+operation, err)
}
