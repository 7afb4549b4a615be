package postgres

import "io"

// errClosed is how pgx reports a connection that the server dropped.
var errClosed = io.ErrUnexpectedEOF
