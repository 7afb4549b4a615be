// Package pdf serves CVs as PDFs (behaviour: pdf). The candidate service returns a shared CV with the same
// content as in the JSON response, and the cvrender service renders the PDF.
//
// The package must never send an incomplete document, so it buffers the document until it is complete.
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
	// maxDocument limits the memory of a response, in bytes. A CV of 50 pages with a photo takes less than 2
	// MiB.
	maxDocument = 32 << 20
	// maxKnownTag is the maximum length of an entity tag that is passed to the renderer. The renderer's
	// own tags are always shorter.
	maxKnownTag = 200
	// defaultFilename is the file name of the PDF if the CV has no name.
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

// Link serves requests with a durable link. Anyone who has the link can read the CV, so search
// engines must not list it (behaviour: durable-links#headers-of-a-link).
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

// drawing holds the input for a PDF.
type drawing struct {
	cv       *cvv1.SharedCv
	template cvrenderv1.CvTemplate
	// personID is the owner of the CV and the photo. The rendering counts against this person's share of the
	// renderer.
	personID string
}

// write writes the PDF of a CV with its owner's photo.
func (h Handler) write(w http.ResponseWriter, r *http.Request, d drawing) error {
	if err := h.putPhoto(r.Context(), d); err != nil {
		return err
	}
	return h.send(w, r, d)
}

// Public serves the PDF of a person's public profile. share identifies the person against whose
// share of the renderer the rendering counts.
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
	// The usual policy would block the PDF viewers of browsers.
	header.Del("Content-Security-Policy")
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(doc.bytes)))
	header.Set("Content-Disposition", disposition.Inline(doc.head.GetFilename(), defaultFilename))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(doc.bytes) // fails only if the client has disconnected
	return nil
}

// putPhoto replaces the photo's URL, which is intended for apps, with the photo itself or with its URL
// on a different site. The renderer cannot open Vitae's own URLs.
func (h Handler) putPhoto(ctx context.Context, of drawing) error {
	d := of.cv.GetDocument()
	if d.GetAvatarUrl() == nil {
		return nil
	}
	d.AvatarUrl = nil
	found, err := h.Photos.GetPhoto(ctx, &candidatev1.GetPhotoRequest{PersonId: of.personID})
	switch {
	case errs.KindOf(err) == errs.NotFound: // the photo was deleted in the meantime
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

// render returns the complete document. It removes the PDF's URL from the CV, so that the same content always
// results in the same document.
func (h Handler) render(ctx context.Context, d drawing, known answer.EntityTags) (document, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // cancels the stream if the client already has the document
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

// streamError converts the error of an empty stream, because io.EOF would look like success.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

// plausible removes tags that cannot come from the renderer.
func plausible(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t != "" && len(t) <= maxKnownTag {
			out = append(out, t)
		}
	}
	return out
}

// Own serves the PDFs of a signed-in person's CVs (behaviour: pages#documents).
type Own struct {
	Handler
	Documents candidatev1.DocumentServiceClient
}

// Serve writes the PDF of a CV of the signed-in person. It uses template t, or the person's own template if t
// is unspecified. If it fails, it writes nothing and returns SESSION_ENDED, CV_NOT_FOUND or
// SERVICE_UNAVAILABLE.
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
