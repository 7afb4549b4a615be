package telemetry

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"go.opentelemetry.io/otel/trace"
)

// LogConfig holds the log level of a process.
type LogConfig struct {
	Level slog.Level `env:"VITAE_LOG_LEVEL" envDefault:"info" help:"Minimum log level: debug, info, warn or error."`
}

// level is the log level of all loggers in the process.
var level slog.LevelVar

// NewLogger returns a logger that writes one JSON object per line. Each line contains the name of
// the service and, inside a trace, the ids of the trace and the span.
func NewLogger(w io.Writer, part string) *slog.Logger {
	return slog.New(traced{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: &level})}).With("part", part)
}

// FollowLogLevel sets the configured level for all loggers in the process, and toggles between that
// level and debug on every SIGUSR1. The signal needs no further authorization: a user who may send
// signals to the process may also stop it. The returned function stops handling the signal.
func FollowLogLevel(c LogConfig, log *slog.Logger) (stop func()) {
	level.Set(c.Level)
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for {
			select {
			case <-signals:
				changeLevel(c.Level, log)
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// changeLevel switches from the configured level to debug, and from any other level back to the
// configured level. It logs the change at a level that is never filtered out.
func changeLevel(usual slog.Level, log *slog.Logger) {
	next := slog.LevelDebug
	if level.Level() != usual || usual == next {
		next = usual
	}
	level.Set(next)
	log.Log(context.Background(), max(usual, slog.LevelInfo), "log level changed", "log_level", next.String())
}

// traced adds the trace and span ids to log records.
type traced struct{ slog.Handler }

func (t traced) Handle(ctx context.Context, r slog.Record) error {
	if Tracing() {
		if s := trace.SpanContextFromContext(ctx); s.IsValid() {
			r.AddAttrs(slog.String("trace_id", s.TraceID().String()), slog.String("span_id", s.SpanID().String()))
		}
	}
	return t.Handler.Handle(ctx, r)
}

func (t traced) WithAttrs(attrs []slog.Attr) slog.Handler { return traced{t.Handler.WithAttrs(attrs)} }

func (t traced) WithGroup(name string) slog.Handler { return traced{t.Handler.WithGroup(name)} }
