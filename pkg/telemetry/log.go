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

// LogConfig is how much a process logs.
type LogConfig struct {
	Level slog.Level `env:"VITAE_LOG_LEVEL" envDefault:"info" help:"Least severe level that is logged: debug, info, warn or error."`
}

// level is that of all loggers of the process.
var level slog.LevelVar

// NewLogger writes one JSON object per line, each naming the part, and the trace where
// there is one.
func NewLogger(w io.Writer, part string) *slog.Logger {
	return slog.New(traced{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: &level})}).With("part", part)
}

// FollowLogLevel has all loggers of the process log from the configured level on, and
// changes it at every SIGUSR1: to debug, and back. Whoever may send the process a signal
// may also stop it, so this needs no other permission. The returned function leaves the
// signal to others.
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

// changeLevel goes from the usual level to debug, and from any other one to the usual.
// The line that says so is of a level that is always logged.
func changeLevel(usual slog.Level, log *slog.Logger) {
	next := slog.LevelDebug
	if level.Level() != usual || usual == next {
		next = usual
	}
	level.Set(next)
	log.Log(context.Background(), max(usual, slog.LevelInfo), "the log level has changed", "log_level", next.String())
}

// traced adds the ids of the trace and span that a line belongs to.
type traced struct{ slog.Handler }

// Handle implements slog.Handler.
func (t traced) Handle(ctx context.Context, r slog.Record) error {
	if Tracing() {
		if s := trace.SpanContextFromContext(ctx); s.IsValid() {
			r.AddAttrs(slog.String("trace_id", s.TraceID().String()), slog.String("span_id", s.SpanID().String()))
		}
	}
	return t.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (t traced) WithAttrs(attrs []slog.Attr) slog.Handler { return traced{t.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (t traced) WithGroup(name string) slog.Handler { return traced{t.Handler.WithGroup(name)} }
