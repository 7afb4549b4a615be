// Package pdf serves CVs as PDFs (behaviour: pdf). candidate projects a shared CV as for the
// JSON, and cvrender renders the PDF.
//
// It must never send part of a document, so it buffers the document until it is complete.
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
	// maxDocument limits the memory of a response, in bytes. A CV of 50 pages with a photo is
	// below 2 MiB.
	maxDocument = 32 << 20
	// maxKnownTag is longer than every entity tag of the renderer.
	maxKnownTag = 200
	// defaultFilename is the file name of a CV without a name.
	defaultFilename = "CV.pdf"
)

// Handler serves the PDF of the CV that the request's principal may see.
type Handler struct {
	Candidate candidatev1.MeServiceClient
	Photos    candidatev1.PhotoServiceClient
	Renderer  cvrenderv1.CvRenderServiceClient
}

// Me serves requests with an access token.
func (h Handler) Me(w http.ResponseWriter, r *http.Request) {
	if err := h.serve(w, r); err != nil {
		chain.Fail(w, r, err)
	}
}

// Link serves anyone with a durable link, so search engines must not list the link
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

// drawing is the input of a PDF.
type drawing struct {
	cv       *cvv1.SharedCv
	template cvrenderv1.CvTemplate
	// personID is the owner of the CV and the photo, whose share of the renderer it uses.
	personID string
}

// write answers with the PDF of a CV and its owner's photo.
func (h Handler) write(w http.ResponseWriter, r *http.Request, d drawing) error {
	if err := h.putPhoto(r.Context(), d); err != nil {
		return err
	}
	return h.send(w, r, d)
}

// Public serves the PDF of a person's public profile. share identifies the person to the
// renderer.
func (h Handler) Public(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error {
	return h.send(w, r, drawing{cv: cv, template: template, personID: share})
}

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
	_, _ = w.Write(doc.bytes) // fails only if the client has disconnected
	return nil
}

// putPhoto replaces the photo's address, which is for apps, by the photo or by its URL at
// another site: the renderer cannot open Vitae's addresses.
func (h Handler) putPhoto(ctx context.Context, of drawing) error {
	d := of.cv.GetDocument()
	if d.GetAvatarUrl() == nil {
		return nil
	}
	d.AvatarUrl = nil
	found, err := h.Photos.GetPhoto(ctx, &candidatev1.GetPhotoRequest{PersonId: of.personID})
	switch {
	case errs.KindOf(err) == errs.NotFound: // it was deleted in the meantime
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

var errCut = errors.New("pdf: the renderer's stream does not match its head")

// render returns the complete document. It removes the PDF's address from the CV, so that the
// same content is the same document.
func (h Handler) render(ctx context.Context, d drawing, known answer.EntityTags) (document, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream of a document that the client has
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

// streamError converts the end of an empty stream to an error. io.EOF would look like success.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

// plausible removes tags that are not from the renderer.
func plausible(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t != "" && len(t) <= maxKnownTag {
			out = append(out, t)
		}
	}
	return out
}

// Own serves people the PDFs of CVs that they own (behaviour: pages#documents).
type Own struct {
	Handler
	Documents candidatev1.DocumentServiceClient
}

// Serve answers with the PDF of a CV of the signed-in person: in template t, or in the person's
// own if t is unspecified. It writes nothing if it fails. Errors: SESSION_ENDED,
// CV_NOT_FOUND, SERVICE_UNAVAILABLE.
func (o Own) Serve(w http.ResponseWriter, r *http.Request, sessionToken, personID, cvID string, t cvrenderv1.CvTemplate) error {
	found, err := o.Documents.GetDocument(r.Context(), &candidatev1.GetDocumentRequest{SessionToken: sessionToken, CvId: cvID})
	if err != nil {
		return err
	}
	if t == cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED {
		t = found.GetTemplate()
	}
	return o.write(w, r, drawing{cv: found.GetCv(), template: t, personID: personID})
}
