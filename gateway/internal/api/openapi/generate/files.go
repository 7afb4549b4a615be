package generate

import (
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/photolink"
	"vitae.internal/gateway/internal/api/resume"
	"vitae.internal/pkg/scope"
)

// files adds the endpoints that answer with files
// (behaviour: pdf#pdf-headers, durable-links#headers-of-a-link, photos#headers-of-a-photo, applications#resume-download).
func (b *builder) files() error {
	for _, step := range []func() error{b.pdf, b.link, b.photo, b.resume} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// binary is the body of a file. In OpenAPI 3.1 a media type without a schema would
// be enough; generators of clients understand this form too.
func binary() *Schema { return &Schema{Type: Types{"string"}, Format: "binary"} }

func (b *builder) pdf() error {
	s := b.surfaces.userToken
	op := begin(tagUser, "getSharedCvPdf", "Get the shared CV as a PDF",
		"The CV of *Read the shared CV* as a tagged PDF, with the same privacy rules. If it cannot be rendered now, the response is a 503, never a broken document.", s, scope.CVRead)
	op.Parameters = []Parameter{ifNoneMatch()}
	has := slices.Concat([]header{entityTag, revalidate, byCaller}, budget)
	b.document(op, "The PDF.", "application/pdf", append(has, inline))
	op.succeed(http.StatusNotModified, b.unchanged(has))
	return b.finish(http.MethodGet, "/v1/me/cv.pdf", op, s, []string{"CV_NOT_FOUND"})
}

func (b *builder) link() error {
	s := b.surfaces.link
	op := begin(tagLinks, "openCvLink", "Open a durable CV link",
		"The shared CV as a PDF, rendered whenever the link is opened. The signed token in the path is the credential: it lives as long as the consent behind it. Take the URL from `pdf.url` of the shared CV.", s, "")
	op.Parameters = []Parameter{
		{Name: "token", In: "path", Required: true, Description: "Signed token of the link.", Schema: typed("string"),
			Example: "3q2-7wABsN0yV5cY1pQ9kR8uT6xZ4mL2jH0gF7dS5aElbmtfMDZndnIzdmJrNXEwbGV0MnNtYnNicmFqdGs"},
		ifNoneMatch(),
	}
	has := []header{entityTag, revalidate, noIndex}
	b.document(op, "The PDF.", "application/pdf", append(has, inline))
	op.succeed(http.StatusNotModified, b.unchanged(has))
	return b.finish(http.MethodGet, cvlink.PathPrefix+"{token}", op, s, nil)
}

func (b *builder) photo() error {
	s := b.surfaces.photo
	op := begin(tagUser, "openPhoto", "Get a photo",
		"The photo of a person as a JPEG of at most 512 pixels and less than 100 KiB. The signed token in the path is the credential, so the URL can be used in a page. Take the whole URL from `avatarUrl`, where it lives as long as the person shares the photo with you, or from `image` of an applicant, where it works for five minutes.", s, "")
	op.Parameters = []Parameter{
		{Name: "token", In: "path", Required: true, Description: "Signed token of the URL.", Schema: typed("string"),
			Example: "3q2-7wABsN0yV5cY1pQ9kR8uT6xZ4mL2jH0gF7dS5aFjMC5jb25fMDZndnIzdmJrNW9tM2EzN3FjNzBjN2FhcDg"},
		ifNoneMatch(),
	}
	has := []header{entityTag, revalidate, noIndex}
	r := Response{Description: "The photo.", Headers: b.headers(append(everywhere(), has...), nil)}
	r.Content.Set("image/jpeg", MediaTypeBody{Schema: binary()})
	op.succeed(http.StatusOK, r)
	op.succeed(http.StatusNotModified, b.unchanged(has))
	return b.finish(http.MethodGet, photolink.PathPrefix+"{token}", op, s, nil)
}

func (b *builder) resume() error {
	s := b.surfaces.resume
	op := begin(tagCandidates, "downloadResume", "Download an uploaded resume",
		"The file that an applicant uploaded. The signature in the query is the credential: take the whole URL from `resume.downloadUrl` of an application, and fetch it within five minutes. A deployment may store resumes elsewhere and return signed URLs of that storage.", s, "")
	for _, p := range [][2]string{
		{"obj", "res/06gvr3vbk5pu57d6tk3e3r75ng"}, {"expiry", "1787660700"}, {"method", "GET"}, {"signature", "oZ0yq2V6t8d1cXb3"},
	} {
		op.Parameters = append(op.Parameters, Parameter{
			Name: p[0], In: "query", Required: true, Description: "Part of the signed URL, unchanged.", Schema: typed("string"), Example: p[1],
		})
	}
	r := Response{
		Description: "The file.",
		Headers:     b.headers(append(without(everywhere(), "Content-Security-Policy"), sandbox, private, noIndex, attachment), nil),
	}
	for _, t := range []string{
		"application/pdf", "application/msword", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/rtf",
	} {
		r.Content.Set(t, MediaTypeBody{Schema: binary()})
	}
	op.succeed(http.StatusOK, r)
	return b.finish(http.MethodGet, resume.Path, op, s, nil)
}

// sandbox is the Content-Security-Policy of files that strangers have uploaded.
var sandbox = header{"Sandbox", "Content-Security-Policy", "Browsers must treat the file as a stranger's.", fixed("default-src 'none'; sandbox"), nil}

// document adds an answer that a browser shows in a viewer of its own. The usual
// Content-Security-Policy would block the viewer, so it is not sent.
func (b *builder) document(op *Operation, description, mediaType string, has []header) {
	r := Response{Description: description, Headers: b.headers(append(without(everywhere(), "Content-Security-Policy"), has...), nil)}
	r.Content.Set(mediaType, MediaTypeBody{Schema: binary()})
	op.succeed(http.StatusOK, r)
}
