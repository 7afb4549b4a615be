package resume

import (
	"errors"
	"log/slog"
	"sync"

	"vitae.internal/pkg/clock"
)

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store Store
	Files Files
	Clock clock.Clock
	Log   *slog.Logger
}

// Service implements the use cases for resumes.
type Service struct {
	cfg Config
	// slots limits the number of concurrent uploads. buffers holds their memory.
	slots   chan struct{}
	buffers sync.Pool
}

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Files == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("resume: Store, Files, Clock and Log are required")
	}
	return &Service{
		cfg:     c,
		slots:   make(chan struct{}, maxUploads),
		buffers: sync.Pool{New: func() any { return new([MaxSize + 1]byte) }},
	}, nil
}
