// Package pdf serves the PDF of a shared CV. candidate makes the same projection as
// for the JSON, and cvrender makes the PDF from it (behaviour: pdf).
//
// It must never let a client take a part of a document for the whole, so it holds
// the document back until it is complete.
package pdf

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

const (
	contentType = "application/pdf"
	// maxDocument bounds the memory of one answer, in bytes. A CV of 50 pages with a
	// photo is below 2 MiB.
	maxDocument = 32 << 20
	// maxKnownTag is longer than every entity tag of the renderer.
	maxKnownTag = 200
	// defaultFilename is the file name if the CV's name gives none.
	defaultFilename = "CV.pdf"
)

// Handler serves the PDF of the CV that the request's principal may see.
type Handler struct {
	// Candidate makes the projection.
	Candidate candidatev1.MeServiceClient
	// Photos has the photos of people.
	Photos candidatev1.PhotoServiceClient
	// Renderer makes the PDF.
	Renderer cvrenderv1.CvRenderServiceClient
}

// Me serves holders of an access token.
func (h Handler) Me(w http.ResponseWriter, r *http.Request) {
	if err := h.serve(w, r); err != nil {
		chain.Fail(w, r, err)
	}
}

// Link serves anyone who has the URL of a durable link. So the URL must neither leak
// to other sites nor be listed by search engines
// (behaviour: durable-links#headers-of-a-link).
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
	return h.write(w, r, drawing{
		cv: shared.GetCv(), template: shared.GetTemplate(), personID: principal.FromContext(r.Context()).GetPersonId(),
	})
}

// drawing is what a PDF is made of.
type drawing struct {
	cv       *cvv1.SharedCv
	template cvrenderv1.CvTemplate
	// personID is the owner, whose photo it is and whose share of the renderer is spent.
	personID string
}

// write answers with the PDF of a CV, with the owner's photo.
func (h Handler) write(w http.ResponseWriter, r *http.Request, d drawing) error {
	if err := h.putPhoto(r.Context(), d); err != nil {
		return err
	}
	return h.send(w, r, d)
}

// Public serves the PDF of what everybody may see of a person, in a template. share names the
// person to the renderer.
func (h Handler) Public(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error {
	return h.send(w, r, drawing{cv: cv, template: template, personID: share})
}

// send answers with the PDF of a CV as it is.
func (h Handler) send(w http.ResponseWriter, r *http.Request, d drawing) error {
	known := answer.ParseIfNoneMatch(r.Header.Values("If-None-Match"))
	doc, err := h.render(r.Context(), d, known)
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
	// The policy would block the PDF viewers of browsers.
	header.Del("Content-Security-Policy")
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(doc.bytes)))
	header.Set("Content-Disposition", disposition.Inline(doc.head.GetFilename(), defaultFilename))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(doc.bytes) // an error means that the client has gone
	return nil
}

// putPhoto replaces the address of the photo, which is for apps, by the picture, or by the
// place where it lies. The renderer cannot open addresses of ours, and need not.
func (h Handler) putPhoto(ctx context.Context, of drawing) error {
	d := of.cv.GetDocument()
	if d.GetAvatarUrl() == nil {
		return nil
	}
	d.AvatarUrl = nil
	found, err := h.Photos.GetPhoto(ctx, &candidatev1.GetPhotoRequest{PersonId: of.personID})
	switch {
	case errs.KindOf(err) == errs.NotFound: // it was taken away a moment ago
		return nil
	case err != nil:
		return err
	case found.GetAddress() != "":
		d.AvatarUrl = wrapperspb.String(found.GetAddress())
	default:
		d.AvatarUrl = wrapperspb.String("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(found.GetJpeg()))
	}
	return nil
}

type document struct {
	head  *cvrenderv1.RenderCvHead
	bytes []byte
}

var errCut = errors.New("pdf: the renderer's stream does not hold the document that its head announces")

// render returns the complete document. The address of the PDF is removed from the
// CV first, so that the same content is always the same document.
func (h Handler) render(ctx context.Context, d drawing, known answer.EntityTags) (document, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream if the document is not needed
	d.cv.Pdf = nil
	stream, err := h.Renderer.RenderCv(ctx, &cvrenderv1.RenderCvRequest{
		Cv: d.cv, Template: d.template, Share: d.personID, KnownEtags: plausible(known.Opaque),
	})
	if err != nil {
		return document{}, err
	}
	first, err := stream.Recv()
	if err != nil {
		return document{}, streamError(err)
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

// streamError turns the end of an empty stream into an error: io.EOF would look like
// success.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

// plausible removes tags that the renderer cannot have made.
func plausible(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t != "" && len(t) <= maxKnownTag {
			out = append(out, t)
		}
	}
	return out
}
