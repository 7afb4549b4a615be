package chain

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/grpcx"
)

// line is what the log says of a request.
type line struct {
	method, route string
	status        int
	bytes         int64
	took          time.Duration
}

// log writes the line of a request. It makes the record itself: slog's own methods look up
// which line of the program logs, for every request, and the logs do not show it.
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
	_ = handler.Handle(ctx, record) // as slog does: there is nowhere to say that the log cannot be written
}
