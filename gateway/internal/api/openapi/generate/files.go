package generate

import (
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/api/openapi/model"
	"vitae.internal/gateway/internal/api/resume"
	"vitae.internal/pkg/scope"
)

// files returns the endpoints that serve files
// (behaviour: pdf#pdf-headers, durable-links#headers-of-a-link, photos#headers-of-a-photo, applications#resume-download).
func (b *builder) files() []endpoint {
	return []endpoint{sharedPDF(b.surfaces.userToken), link(b.surfaces.link), photo(b.surfaces.photo), download(b.surfaces.resume)}
}

// binary returns the content of a response with a file. OpenAPI 3.1 needs no schema here, but client
// generators also understand this older form.
func binary(mediaTypes ...string) (content model.Map[model.MediaTypeBody]) {
	for _, t := range mediaTypes {
		content.Set(t, model.MediaTypeBody{Schema: &model.Schema{Type: model.Types{"string"}, Format: "binary"}})
	}
	return content
}

// tokenInPath returns the path parameter for the signed token in a URL.
func tokenInPath(description, example string) []model.Parameter {
	return []model.Parameter{{Name: "token", In: "path", Required: true, Description: description, Schema: model.Typed("string"), Example: example}}
}

func sharedPDF(s surface) endpoint {
	return endpoint{
		method: http.MethodGet, path: "/v1/me/cv.pdf", surface: s, tag: tagUser, id: "getSharedCvPdf", summary: "Get the shared CV as a PDF",
		text:  "The CV of *Read the shared CV* as a tagged PDF, with the same privacy rules. If it cannot be rendered now, the response is a 503, never a broken document.",
		scope: scope.CVRead, status: http.StatusOK, description: "The PDF.", content: binary("application/pdf"), ownPolicy: true,
		headers: slices.Concat([]header{entityTag, revalidate, byCaller}, budget), more: []header{inline}, conditional: true,
		codes: []string{"CV_NOT_FOUND"},
	}
}

func link(s surface) endpoint {
	return endpoint{
		method: http.MethodGet, path: signedurl.CVLinkPath + "{token}", surface: s, tag: tagLinks, id: "openCvLink", summary: "Open a durable CV link",
		text:       "The shared CV as a PDF, rendered whenever the link is opened. The signed token in the path is the credential: it lives as long as the consent behind it. Take the URL from `pdf.url` of the shared CV.",
		parameters: tokenInPath("Signed token of the link.", "3q2-7wABsN0yV5cY1pQ9kR8uT6xZ4mL2jH0gF7dS5aElbmtfMDZndnIzdmJrNXEwbGV0MnNtYnNicmFqdGs"),
		status:     http.StatusOK, description: "The PDF.", content: binary("application/pdf"), ownPolicy: true,
		headers: []header{entityTag, revalidate, noIndex}, more: []header{inline}, conditional: true,
	}
}

func photo(s surface) endpoint {
	return endpoint{
		method: http.MethodGet, path: signedurl.PhotoPath + "{token}", surface: s, tag: tagUser, id: "openPhoto", summary: "Get a photo",
		text:       "The photo of a person as a JPEG of at most 512 pixels and less than 100 KiB. The signed token in the path is the credential, so the URL can be used in a page. Take the whole URL from `avatarUrl`, where it lives as long as the person shares the photo with you, or from `image` of an applicant, where it works for five minutes.",
		parameters: tokenInPath("Signed token of the URL.", "3q2-7wABsN0yV5cY1pQ9kR8uT6xZ4mL2jH0gF7dS5aFjMC5jb25fMDZndnIzdmJrNW9tM2EzN3FjNzBjN2FhcDg"),
		status:     http.StatusOK, description: "The photo.", content: binary("image/jpeg"),
		headers: []header{entityTag, revalidate, noIndex}, conditional: true,
	}
}

func download(s surface) endpoint {
	e := endpoint{
		method: http.MethodGet, path: resume.Path, surface: s, tag: tagCandidates, id: "downloadResume", summary: "Download an uploaded resume",
		text:   "The file that an applicant uploaded. The signature in the query is the credential: take the whole URL from `resume.downloadUrl` of an application, and fetch it within five minutes. A deployment may store resumes elsewhere and return signed URLs of that storage.",
		status: http.StatusOK, description: "The file.", ownPolicy: true,
		content: binary("application/pdf", "application/msword", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/rtf"),
		headers: []header{sandbox, private, noIndex, attachment},
	}
	for _, p := range [][2]string{
		{"obj", "res/06gvr3vbk5pu57d6tk3e3r75ng"}, {"expiry", "1787660700"}, {"method", "GET"}, {"signature", "oZ0yq2V6t8d1cXb3"},
	} {
		e.parameters = append(e.parameters, model.Parameter{
			Name: p[0], In: "query", Required: true, Description: "Part of the signed URL, unchanged.", Schema: model.Typed("string"), Example: p[1],
		})
	}
	return e
}

// sandbox is the Content-Security-Policy for files uploaded by strangers.
var sandbox = header{"Sandbox", "Content-Security-Policy", "Browsers must treat the file as a stranger's.", fixed("default-src 'none'; sandbox"), nil}
