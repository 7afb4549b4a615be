package web

import (
	"context"
	"io"
	"net/http"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
)

const (
	// maxPage bounds a page in bytes. The largest form that is accepted, full of characters that
	// HTML escapes, makes a page of some 10 MB.
	maxPage = 16 << 20
	// piece is the size of the parts in which a page is kept. A single buffer would be copied
	// as it grows, and hold up to four times the page in the meantime. The last part counts against
	// no budget: most pages are smaller, and so is the one that says that there is no memory.
	piece = 64 << 10
)

// errTooLarge is for a page above maxPage. What a page shows is bounded where it is read, so it
// is a fault of ours.
var errTooLarge = errs.New(errs.Internal, "PAGE_TOO_LARGE", "The page is too large.")

// sheet is a page while it is drawn, before anything is sent. It stops the drawing at maxPage,
// when the gateway has no memory for it, and when the request ends.
type sheet struct {
	ctx      context.Context //nolint:containedctx // an io.Writer gets no other
	exchange *chain.Exchange
	full     [][]byte
	last     []byte
	size     int
}

func newSheet(r *http.Request) *sheet {
	return &sheet{ctx: r.Context(), exchange: chain.ExchangeOf(r.Context())}
}

// Write implements io.Writer.
func (s *sheet) Write(b []byte) (int, error) {
	if s.size+len(b) > maxPage {
		return 0, errTooLarge
	}
	if len(s.last)+len(b) > piece && len(s.last) > 0 {
		if err := s.turn(); err != nil {
			return 0, err
		}
	}
	s.last = append(s.last, b...)
	s.size += len(b)
	return len(b), nil
}

// turn begins the next piece.
func (s *sheet) turn() error {
	if err := s.ctx.Err(); err != nil {
		return errs.New(errs.Unavailable, errs.CodeUnavailable, "The request ended before the page was drawn.").WithCause(err)
	}
	if err := s.exchange.Hold(int64(len(s.last))); err != nil {
		return err
	}
	s.full, s.last = append(s.full, s.last), nil
	return nil
}

// sendTo writes the page.
func (s *sheet) sendTo(w io.Writer) error {
	for _, p := range append(s.full, s.last) {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}
