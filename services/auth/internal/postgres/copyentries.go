package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/usage"
)

// The columns stand in the order in which appendEntry writes them.
const copyRequests = `COPY request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered,
  error_code, resource_id, client_address, user_agent, minute_left, day_left, refused_by, error_message, other_faults) FROM STDIN (FORMAT binary)`

const (
	requestColumns = 21
	// entryBytes is about the size of an entry, to make room for a batch at once.
	entryBytes = 400
)

// copyEntries adds entries to the log. They are most of what recording costs, so they are
// written in the format of COPY here (Postgres manual, COPY, Binary Format). pgx's CopyFrom
// asks for the types of the columns with every batch and puts every value into an
// interface, which costs as much again.
func copyEntries(ctx context.Context, tx pgx.Tx, entries []usage.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	raw := make([]byte, 0, len(entries)*entryBytes)
	raw = append(raw, "PGCOPY\n\xff\r\n\x00"...)
	raw = binary.BigEndian.AppendUint64(raw, 0) // no flags, no extension
	for i := range entries {
		raw = appendEntry(raw, &entries[i])
	}
	raw = binary.BigEndian.AppendUint16(raw, 0xffff) // the end
	_, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(raw), copyRequests)
	return err
}

func appendEntry(raw []byte, e *usage.Entry) []byte {
	raw = binary.BigEndian.AppendUint16(raw, requestColumns)
	raw = appendInt64(raw, microsOf(e.At))
	raw = appendText(raw, e.RequestID)
	raw = appendText(raw, e.AccountID)
	raw = appendText(raw, e.AppID)
	raw = appendText(raw, e.APIKeyID)
	raw = appendText(raw, e.ConnectionID)
	raw = appendText(raw, e.Method)
	raw = appendText(raw, e.Route)
	raw = appendInt32(raw, e.Status)
	raw = appendInt64(raw, e.Latency.Microseconds())
	raw = appendInt64(raw, e.Bytes)
	raw = appendBool(raw, e.Metered)
	raw = appendText(raw, e.ErrorCode)
	raw = appendText(raw, e.ResourceID)
	raw = appendText(raw, e.ClientAddress)
	raw = appendText(raw, e.UserAgent)
	raw = appendLeft(raw, e.MinuteLeft)
	raw = appendLeft(raw, e.DayLeft)
	raw = appendText(raw, e.RefusedBy)
	raw = appendText(raw, e.ErrorMessage)
	return appendText(raw, e.OtherFaults)
}

// epoch is the time that Postgres counts microseconds from.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

func microsOf(t time.Time) int64 { return t.UnixMicro() - epoch }

func appendLength(raw []byte, n int) []byte { return binary.BigEndian.AppendUint32(raw, uint32(n)) }

func appendText(raw []byte, s string) []byte { return append(appendLength(raw, len(s)), s...) }

func appendInt32(raw []byte, n int32) []byte {
	return binary.BigEndian.AppendUint32(appendLength(raw, 4), uint32(n))
}

func appendInt64(raw []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(appendLength(raw, 8), uint64(n))
}

func appendBool(raw []byte, b bool) []byte {
	if raw = appendLength(raw, 1); b {
		return append(raw, 1)
	}
	return append(raw, 0)
}

// appendLeft writes NULL for what is not known.
func appendLeft(raw []byte, left int32) []byte {
	if left == usage.Unknown {
		return appendLength(raw, -1)
	}
	return appendInt32(raw, left)
}
