package chain

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/grpcx"
)

// line holds the fields of a request's log line that Exchange does not have.
type line struct {
	method, route string
	status        int
	bytes         int64
	took          time.Duration
}

// log writes the log line of a request. It builds the record itself because slog's methods
// look up the source line for every record, which the logs do not show.
func (l listener) log(ctx context.Context, said line) {
	handler := l.Log.Handler()
	if !handler.Enabled(ctx, slog.LevelInfo) {
		return
	}
	exchange := ExchangeOf(ctx)
	record := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	record.AddAttrs(
		slog.String("request_id", grpcx.RequestID(ctx)), slog.String("method", said.method), slog.String("route", said.route),
		slog.Int("status", said.status), slog.Int64("bytes", said.bytes), slog.Float64("duration_ms", float64(said.took.Microseconds())/1000),
		slog.String("client_address", exchange.ClientIP), slog.String("app", exchange.Caller.AppID), slog.String("account", exchange.Caller.AccountID),
	)
	_ = handler.Handle(ctx, record) // slog ignores this error too: a failed log cannot be logged
}
