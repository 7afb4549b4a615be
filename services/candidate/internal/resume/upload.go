package resume

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"
	"unicode/utf8"

	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/profile"
)

const (
	// maxUploads is the maximum number of concurrent uploads. It limits their memory, because each
	// upload uses MaxSize.
	maxUploads = 8
	// keepTimeout limits how long storing a received file may take.
	keepTimeout = time.Minute
)

// maxFilename is the maximum length of an uploaded file's name, in characters.
const maxFilename = 255

// Upload describes a file to be uploaded.
type Upload struct {
	PersonID string
	// Filename is the file's name, which may be empty.
	Filename string
	// ValidateOnly requests a dry run, in which nothing is stored and the person is not looked up.
	ValidateOnly bool
}

// Upload validates and stores a file that does not belong to an application yet. It returns an
// INVALID_ARGUMENT error that names `description.filename` if the name is too long, or `chunk` if
// the file is empty, too large or of a type that is not accepted. It returns PROFILE_NOT_FOUND if
// the person has no profile. It rejects a name that is too long without reading the content, except
// in a dry run, which reports the errors in both.
func (s *Service) Upload(ctx context.Context, u Upload, content io.Reader) (Resume, error) {
	faults := fault.Argument()
	if utf8.RuneCountInString(u.Filename) > maxFilename {
		faults.Add("description.filename", "must be at most %d characters", maxFilename)
	}
	if err := faults.Err(); err != nil && !u.ValidateOnly {
		return Resume{}, err
	}
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
	k := check(faults, buffer[:n])
	if err := faults.Err(); err != nil {
		return Resume{}, err
	}
	r := Resume{PersonID: u.PersonID, Filename: cleanFilename(u.Filename), ContentType: k.contentType, Size: n}
	if u.ValidateOnly {
		return r, nil
	}
	if !fault.IsStorable(u.PersonID) {
		return Resume{}, profile.ErrProfileNotFound
	}
	return s.keep(ctx, r, buffer[:n])
}

// check returns the kind of a file and adds any errors to faults.
func check(faults *fault.List, content []byte) kind {
	const field = "chunk"
	if len(content) == 0 {
		faults.Add(field, "must not be empty")
	}
	if len(content) > MaxSize {
		faults.Add(field, "must be at most %d bytes in all", MaxSize)
	}
	k, accepted := kindOf(content)
	if !accepted {
		faults.Add(field, "must be a PDF, DOC, DOCX or RTF document by its content")
	}
	return k
}

// keep writes the row, then writes the bytes, and finally marks the row as ready. If it is
// interrupted, the clean-up job finds the bytes through the row.
func (s *Service) keep(ctx context.Context, r Resume, content []byte) (Resume, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	r.ID = id.New(idPrefix)
	r.Key, r.CreatedAt = keyOf(r.ID), s.cfg.Clock.Now()
	if err := s.cfg.Store.AddResume(ctx, r); err != nil {
		return Resume{}, err
	}
	headers := Headers{
		ContentType:        r.ContentType,
		ContentDisposition: disposition.Attachment(r.Filename, kindFor(r.ContentType).fallback),
	}
	if err := s.cfg.Files.Put(ctx, r.Key, bytes.NewReader(content), headers); err != nil {
		return Resume{}, err
	}
	// A process that was paused for a long time must not mark a resume as ready when the clean-up
	// job may already be removing it.
	if err := s.cfg.Store.FinishResume(ctx, r.ID, s.cfg.Clock.Now().Add(-unfinishedAfter/2)); err != nil {
		return Resume{}, err
	}
	r.Ready = true
	return r, nil
}
