package web

import (
	"context"
	"io"
	"net/http"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
)

const (
	// maxPage is the maximum size of a page, in bytes. The largest form, filled with characters that HTML
	// escapes, results in a page of about 10 MB.
	maxPage = 16 << 20
	// piece is the size of a page's buffers. A single buffer would be copied as it grows and would take up to
	// four times the page's size. The last buffer is not charged to chain.Memory, because most pages fit into
	// one buffer, including the error page that is shown when memory runs out.
	piece = 64 << 10
)

// errTooLarge is an internal error, because the data for every page should already be limited when
// it is read.
var errTooLarge = errs.New(errs.Internal, "PAGE_TOO_LARGE", "The page is too large.")

// sheet buffers a page while it is rendered. Write fails if the page exceeds maxPage, if chain.Memory is
// exhausted, or if the request is canceled.
type sheet struct {
	ctx      context.Context //nolint:containedctx // an io.Writer gets no context
	exchange *chain.Exchange
	full     [][]byte
	last     []byte
	size     int
}

func newSheet(r *http.Request) *sheet {
	return &sheet{ctx: r.Context(), exchange: chain.ExchangeOf(r.Context())}
}

func (s *sheet) Write(b []byte) (int, error) {
	if s.size+len(b) > maxPage {
		return 0, errTooLarge
	}
	if len(s.last)+len(b) > piece && len(s.last) > 0 {
		if err := s.grow(); err != nil {
			return 0, err
		}
	}
	s.last = append(s.last, b...)
	s.size += len(b)
	return len(b), nil
}

// grow starts the next buffer.
func (s *sheet) grow() error {
	if err := s.ctx.Err(); err != nil {
		return errs.New(errs.Unavailable, errs.CodeUnavailable, "The request ended before the page was drawn.").WithCause(err)
	}
	if err := s.exchange.Hold(int64(len(s.last))); err != nil {
		return err
	}
	s.full, s.last = append(s.full, s.last), nil
	return nil
}

func (s *sheet) sendTo(w io.Writer) error {
	for _, p := range append(s.full, s.last) {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}
