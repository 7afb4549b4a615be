package resume

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/validate"
)

const (
	// linkLife is how long a signed address works (decision 37).
	linkLife = 5 * time.Minute
	// uploadsAtOnce bounds what uploads hold in memory: MaxSize each, and for a moment
	// six times that for a ZIP that is nothing but its directory.
	uploadsAtOnce = 8
	// keepTimeout is for putting a whole file away once it has arrived.
	keepTimeout = time.Minute
)

// Store keeps what is known of resumes. Every method is atomic.
type Store interface {
	// AddResume adds r, not ready. Errors: PROFILE_NOT_FOUND.
	AddResume(ctx context.Context, r Resume) error
	// FinishResume makes a resume ready that was created after the given time.
	// Errors: ErrNotFound.
	FinishResume(ctx context.Context, id string, createdAfter time.Time) error
	// Resume gives a resume, ready or not. Errors: ErrNotFound.
	Resume(ctx context.Context, id string) (Resume, error)
	// GiveUpResumes takes up to atMost resumes out of reach for applications and
	// gives them: those that belong to none and were created before unclaimed, or
	// are not ready and were created before unfinished.
	GiveUpResumes(ctx context.Context, unfinished, unclaimed time.Time, atMost int) ([]Resume, error)
	// DeleteResume removes what GiveUpResumes gave.
	DeleteResume(ctx context.Context, id string) error
}

// Files keeps the bytes.
type Files interface {
	// Put keeps content at key, to be served with the headers.
	Put(ctx context.Context, key string, content io.Reader, h Headers) error
	// Open reads what is kept at key. Errors: ErrNotFound.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// Remove removes what is kept at key and what a Put that was cut short left.
	// It is no error if there is nothing.
	Remove(ctx context.Context, key string) error
	// SignedURL gives an address that opens key for life.
	SignedURL(ctx context.Context, key string, life time.Duration) (string, error)
	// KeyOf gives the key that an address opens, by its query; false unless
	// SignedURL made the address and it still works.
	KeyOf(ctx context.Context, query string) (string, bool)
}

// Headers are those of HTTP that a file is served with.
type Headers struct {
	ContentType, ContentDisposition string
}

// Service is the use cases of resumes.
type Service struct {
	store Store
	files Files
	clock clock.Clock
	log   *slog.Logger

	slots   chan struct{}
	buffers sync.Pool
}

// NewService makes the use cases on a store and a place for the bytes.
func NewService(store Store, files Files, clk clock.Clock, log *slog.Logger) (*Service, error) {
	if store == nil || files == nil || clk == nil || log == nil {
		return nil, errors.New("resume: a store, files, a clock and a log are required")
	}
	return &Service{
		store: store, files: files, clock: clk, log: log,
		slots:   make(chan struct{}, uploadsAtOnce),
		buffers: sync.Pool{New: func() any { return new([MaxSize + 1]byte) }},
	}, nil
}

// Upload is a file that comes in.
type Upload struct {
	// PersonID is whose it is.
	PersonID string
	// Filename as the person has it; empty for none.
	Filename string
	// CheckOnly says to keep nothing and to look nobody up.
	CheckOnly bool
}

// Upload takes a file in. It belongs to no application yet. Errors:
// INVALID_ARGUMENT naming `chunk` for a file that is empty, too large or of no
// kind that is taken; PROFILE_NOT_FOUND.
func (s *Service) Upload(ctx context.Context, u Upload, content io.Reader) (Resume, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return Resume{}, ctx.Err()
	}
	buffer := s.buffers.Get().(*[MaxSize + 1]byte)
	defer s.buffers.Put(buffer)
	n, err := io.ReadFull(content, buffer[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return Resume{}, err
	}
	k, err := check(buffer[:n])
	if err != nil {
		return Resume{}, err
	}
	r := Resume{PersonID: u.PersonID, Filename: cleanFilename(u.Filename), ContentType: k.contentType, Size: n}
	if u.CheckOnly {
		return r, nil
	}
	if strings.ContainsRune(u.PersonID, 0) { // Postgres cannot even look for it
		return Resume{}, profile.ErrProfileNotFound
	}
	return s.keep(ctx, r, buffer[:n])
}

func check(content []byte) (kind, error) {
	var f validate.Fields
	const field = "chunk"
	if len(content) == 0 {
		f.Fail(field, "must not be empty")
	}
	if len(content) > MaxSize {
		f.Fail(field, "must be at most %d bytes in all", MaxSize)
	}
	k, taken := kindOf(content)
	if !taken {
		f.Fail(field, "must be a PDF, DOC, DOCX or RTF document by its content")
	}
	return k, f.Err()
}

// keep writes the row, then the bytes, then that the bytes are there. What is cut
// short in between, the cleaner finds by the row.
func (s *Service) keep(ctx context.Context, r Resume, content []byte) (Resume, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	r.ID = id.New(idPrefix)
	r.Key, r.CreatedAt = keyOf(r.ID), s.clock.Now()
	if err := s.store.AddResume(ctx, r); err != nil {
		return Resume{}, err
	}
	headers := Headers{
		ContentType:        r.ContentType,
		ContentDisposition: disposition.Attachment(r.Filename, kindFor(r.ContentType).fallback),
	}
	if err := s.files.Put(ctx, r.Key, bytes.NewReader(content), headers); err != nil {
		return Resume{}, err
	}
	// A process that was stopped for long must not finish what the cleaner takes.
	if err := s.store.FinishResume(ctx, r.ID, s.clock.Now().Add(-unfinishedAfter/2)); err != nil {
		return Resume{}, err
	}
	r.Ready = true
	return r, nil
}

// Download gives the file that a signed address opens, by its query. The caller
// closes it. Errors: ErrNotFound for an address that is not ours or has expired,
// and for a file that is gone.
func (s *Service) Download(ctx context.Context, query string) (Resume, io.ReadCloser, error) {
	key, ok := s.files.KeyOf(ctx, query)
	if !ok {
		return Resume{}, nil, ErrNotFound
	}
	resumeID := path.Base(key)
	if !id.Valid(idPrefix, resumeID) || keyOf(resumeID) != key {
		return Resume{}, nil, ErrNotFound
	}
	r, err := s.store.Resume(ctx, resumeID)
	if err != nil {
		return Resume{}, nil, err
	}
	if !r.Ready {
		return Resume{}, nil, ErrNotFound
	}
	content, err := s.files.Open(ctx, r.Key)
	if errs.HasCode(err, ErrNotFound.Code) {
		// A row that is ready without its bytes: they were taken away behind our back.
		s.log.ErrorContext(ctx, "the bytes of a resume are gone", "resume", r.ID)
	}
	return r, content, err
}

// Link gives an address of a file at key that works for five minutes.
func (s *Service) Link(ctx context.Context, key string) (Link, error) {
	// Signatures count in whole seconds; what we say is never later than what they do.
	expires := s.clock.Now().Truncate(time.Second).Add(linkLife)
	address, err := s.files.SignedURL(ctx, key, linkLife)
	return Link{URL: address, ExpiresAt: expires}, err
}
