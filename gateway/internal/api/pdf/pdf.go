// Package pdf serves the PDF of a shared CV (spec: User resources): the same
// projection as the JSON, made by candidate, put on paper by cvrender.
//
// It must never send part of a document as a whole one, so it holds the document
// back until its last byte is there.
package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

const (
	contentType = "application/pdf"
	// maxDocument bounds what one answer holds in memory, in bytes. A CV of 50 pages
	// with a photo is below 2 MiB.
	maxDocument = 32 << 20
	// maxKnownTag is the longest entity tag that could be one of the renderer's.
	maxKnownTag = 200
	// defaultFilename is of a CV whose name makes no filename.
	defaultFilename = "CV.pdf"
)

// Handler serves the PDF of what the request's principal may see.
type Handler struct {
	// Candidate makes the projection.
	Candidate candidatev1.MeServiceClient
	// Renderer makes the document.
	Renderer cvrenderv1.CvRenderServiceClient
}

// Me serves the owner of an access token.
func (h Handler) Me(w http.ResponseWriter, r *http.Request) {
	if err := h.serve(w, r); err != nil {
		chain.Fail(w, r, err)
	}
}

// Link serves the holder of a durable link, who is whoever has the URL: it must
// neither leak to other sites nor end up in a search index (decision 22).
func (h Handler) Link(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	if err := h.serve(w, r); err != nil {
		chain.Fail(w, r, admission.LinkNotFound(err))
	}
}

func (h Handler) serve(w http.ResponseWriter, r *http.Request) error {
	shared, err := h.Candidate.GetSharedCv(r.Context(), &candidatev1.GetSharedCvRequest{})
	if err != nil {
		return err
	}
	known := answer.ParseIfNoneMatch(r.Header.Values("If-None-Match"))
	doc, err := h.render(r.Context(), shared.GetCv(), known)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("ETag", `"`+doc.head.GetEtag()+`"`)
	header.Set("Cache-Control", "private, no-cache")
	if doc.head.GetNotModified() || known.Match(doc.head.GetEtag()) {
		answer.NotModified(w)
		return nil
	}
	// Browsers' PDF viewers are plugins to a content security policy.
	header.Del("Content-Security-Policy")
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(doc.bytes)))
	header.Set("Content-Disposition", disposition.Inline(doc.head.GetFilename(), defaultFilename))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(doc.bytes) // the client has gone; there is nobody to tell
	return nil
}

type document struct {
	head  *cvrenderv1.RenderCvHead
	bytes []byte
}

var errCut = errors.New("pdf: the renderer's stream does not hold the document that its head announces")

// render reads a document whole. The link to it is no part of what it shows.
func (h Handler) render(ctx context.Context, cv *cvv1.SharedCv, known answer.EntityTags) (document, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream when the document is not needed
	cv.Pdf = nil
	stream, err := h.Renderer.RenderCv(ctx, &cvrenderv1.RenderCvRequest{
		Cv: cv, Share: principal.FromContext(ctx).GetPersonId(), KnownEtags: plausible(known.Opaque),
	})
	if err != nil {
		return document{}, err
	}
	first, err := stream.Recv()
	if err != nil {
		return document{}, notEnd(err)
	}
	head := first.GetHead()
	if head == nil || head.GetEtag() == "" || head.GetSize() > maxDocument {
		return document{}, fmt.Errorf("%w: unexpected head", errCut)
	}
	if head.GetNotModified() || known.Match(head.GetEtag()) {
		return document{head: head}, nil
	}
	body := make([]byte, 0, head.GetSize())
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return document{}, err
		}
		if body = append(body, part.GetChunk()...); len(body) > maxDocument {
			return document{}, errCut
		}
	}
	if int64(len(body)) != head.GetSize() {
		return document{}, errCut
	}
	return document{head: head, bytes: body}, nil
}

// notEnd keeps the end of a stream that said nothing from passing as one of ours.
func notEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

// plausible leaves out tags that cannot be the renderer's.
func plausible(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t != "" && len(t) <= maxKnownTag {
			out = append(out, t)
		}
	}
	return out
}
