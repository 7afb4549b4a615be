// Package resume serves uploaded resumes at signed URLs (behaviour: applications#resume-download). The
// candidate service signs and verifies the URLs. This package streams the file.
//
// The package must never interpret a URL, and must never end a response normally after sending only
// part of a file.
package resume

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"unicode/utf8"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Path is the URL path of resumes. The signature is in the query.
const Path = "/resumes"

// maxQuery is the maximum length of a query, in bytes. All queries that the candidate service signs
// are shorter.
const maxQuery = 2048

// fallbacks maps media types to the file name to use if the original name cannot be written in a header.
var fallbacks = map[string]string{
	"application/pdf":    "resume.pdf",
	"application/msword": "resume.doc",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document": "resume.docx",
	"application/rtf": "resume.rtf",
}

// Handler serves resumes.
type Handler struct {
	Candidate candidatev1.ResumeServiceClient
	// Log records interrupted downloads.
	Log *slog.Logger
}

func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	d, err := h.open(r)
	if err != nil {
		chain.Fail(w, r, err)
		return
	}
	defer d.end()
	header := w.Header()
	header.Set("Content-Type", d.file.GetContentType())
	header.Set("Content-Length", strconv.Itoa(int(d.file.GetSize())))
	header.Set("Content-Disposition", disposition.Attachment(d.file.GetFilename(), fallbacks[d.file.GetContentType()]))
	header.Set("Cache-Control", "private, no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	if err := d.send(w); err != nil {
		h.Log.WarnContext(r.Context(), "resume download interrupted", "request_id", grpcx.RequestID(r.Context()), "error", err)
		panic(http.ErrAbortHandler)
	}
}

// download is a file whose first chunk has arrived. Until then, a failure can still be reported as an error
// response.
type download struct {
	file   *candidatev1.ResumeFile
	first  []byte
	stream interface {
		Recv() (*candidatev1.DownloadResumeResponse, error)
	}
	end context.CancelFunc
}

var errUnexpected = errors.New("resume: candidate's stream does not match its description")

func (h Handler) open(r *http.Request) (_ *download, err error) {
	if q := r.URL.RawQuery; q == "" || len(q) > maxQuery || !utf8.ValidString(q) {
		return nil, notFound(nil)
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	stream, err := h.Candidate.DownloadResume(ctx, &candidatev1.DownloadResumeRequest{Query: r.URL.RawQuery})
	if err != nil {
		return nil, hideReason(err)
	}
	head, err := stream.Recv()
	if err != nil {
		return nil, hideReason(err)
	}
	d := &download{file: head.GetFile(), stream: stream, end: cancel}
	if d.file.GetSize() <= 0 || d.file.GetContentType() == "" {
		return nil, fmt.Errorf("%w: no description", errUnexpected)
	}
	if r.Method == http.MethodHead {
		return d, nil
	}
	piece, err := stream.Recv()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnexpected, err)
	}
	d.first = piece.GetChunk()
	return d, nil
}

// send writes all chunks to w. It returns an error if the client has disconnected or the stream is invalid.
func (d *download) send(w http.ResponseWriter) error {
	left := int(d.file.GetSize())
	for chunk := d.first; ; {
		if left -= len(chunk); left < 0 || len(chunk) == 0 {
			return fmt.Errorf("%w: %d bytes are missing", errUnexpected, left)
		}
		if _, err := w.Write(chunk); err != nil {
			return err
		}
		if left == 0 {
			return nil
		}
		piece, err := d.stream.Recv()
		if err != nil {
			return err
		}
		chunk = piece.GetChunk()
	}
}

// hideReason replaces every error about an invalid URL with a single error that does not reveal the
// reason.
func hideReason(err error) error {
	switch errs.KindOf(err) {
	case errs.NotFound, errs.Invalid:
		return notFound(err)
	default:
		return err
	}
}

func notFound(cause error) error {
	return errs.New(errs.NotFound, answer.CodeNotFound, "This address does not exist or is no longer valid.").WithCause(cause)
}
