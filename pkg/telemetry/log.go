package telemetry

import (
	"io"
	"log/slog"
)

// NewLogger writes one JSON object per line, each naming the part.
func NewLogger(w io.Writer, part string) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelInfo})).With("part", part)
}
