package app_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// resumes returns a ResumeService client that uses the given caller's certificate.
func (r *running) resumes(caller string) candidatev1.ResumeServiceClient {
	return candidatev1.NewResumeServiceClient(r.dial(caller))
}

func describe(d *candidatev1.ResumeDescription) *candidatev1.UploadResumeRequest {
	return &candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Description{Description: d}}
}

func piece(b []byte) *candidatev1.UploadResumeRequest {
	return &candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Chunk{Chunk: b}}
}

// send uploads a file in the given pieces and returns the response.
func (r *running) send(caller string, pieces ...*candidatev1.UploadResumeRequest) (*candidatev1.UploadResumeResponse, error) {
	r.t.Helper()
	stream, err := r.resumes(caller).UploadResume(r.t.Context())
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if err := stream.Send(p); errors.Is(err, io.EOF) {
			break // the upload was rejected; the response contains the reason
		} else if err != nil {
			return nil, err
		}
	}
	return stream.CloseAndRecv()
}

// upload uploads a PDF in pieces of 64 KiB.
func (r *running) upload(personID, filename string, content []byte) *candidatev1.UploadResumeResponse {
	r.t.Helper()
	pieces := []*candidatev1.UploadResumeRequest{describe(&candidatev1.ResumeDescription{PersonId: personID, Filename: filename})}
	for len(content) > 0 {
		n := min(len(content), 64<<10)
		pieces, content = append(pieces, piece(content[:n])), content[n:]
	}
	uploaded, err := r.send("internal", pieces...)
	if err != nil {
		r.t.Fatal(err)
	}
	return uploaded
}

// download fetches a file by the query of its signed URL, as the gateway does.
func (r *running) download(query string) (*candidatev1.ResumeFile, []byte, error) {
	r.t.Helper()
	stream, err := r.resumes("gateway").DownloadResume(r.t.Context(), &candidatev1.DownloadResumeRequest{Query: query})
	if err != nil {
		return nil, nil, err
	}
	first, err := stream.Recv()
	if err != nil {
		return nil, nil, err
	}
	var content []byte
	for {
		next, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return first.GetFile(), content, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if len(next.GetChunk()) == 0 || len(next.GetChunk()) > 64<<10 {
			r.t.Errorf("the download contains a piece of %d bytes", len(next.GetChunk()))
		}
		content = append(content, next.GetChunk()...)
	}
}

func pdfOf(size int) []byte {
	content := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
	copy(content, "%PDF-1.7\n")
	return content
}

func TestResumeIsDownloadedUnchanged(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	r.catalog.post("job_1", "app_1")
	content := pdfOf(1<<20 + 12_345)
	uploaded := r.upload("usr_1", `C:\cvs\سيرة ليلى.pdf`, content)
	if uploaded.GetContentType() != "application/pdf" || int(uploaded.GetSize()) != len(content) {
		t.Errorf("the uploaded resume is %v", uploaded)
	}
	made, err := r.intake.Apply(t.Context(), &candidatev1.ApplyRequest{
		JobId: "job_1", PersonId: "usr_1", Submission: &candidatev1.ApplyRequest_ResumeId{ResumeId: uploaded.GetResumeId()},
	})
	if err != nil {
		t.Fatal(err)
	}
	detail, err := r.readDetail(hiring("app_1"), made.GetApplication().GetApplicationId())
	if err != nil {
		t.Fatal(err)
	}
	link := detail.GetResume()
	query, ours := strings.CutPrefix(link.GetDownloadUrl(), baseURL+"/resumes?")
	life := link.GetExpiresAt().AsTime().Sub(detail.GetAppliedAt().AsTime())
	if !ours || link.GetFilename().GetValue() != "سيرة ليلى.pdf" || life < 4*60e9 || life > 6*60e9 {
		t.Errorf("the resume is %v, its link is valid for %s", link, life)
	}
	if detail.GetSubmittedCv() != nil || detail.GetSubmittedCvDocument() != nil {
		t.Errorf("the detail also contains a submitted CV: %v", detail.GetSubmittedCvDocument())
	}
	if others := detail.GetAdditionalCvDocuments(); len(others) != 1 || others[0].GetId() != "master" {
		t.Errorf("the other CVs are %v", others)
	}
	file, got, err := r.download(query)
	if err != nil || !bytes.Equal(got, content) {
		t.Fatalf("the download has %d bytes, %v", len(got), err)
	}
	equal(t, "file", file, &candidatev1.ResumeFile{Filename: "سيرة ليلى.pdf", ContentType: "application/pdf", Size: int32(len(content))})
	if _, _, err := r.download(query + "x"); !errs.HasCode(err, "RESUME_NOT_FOUND") || errs.KindOf(err) != errs.NotFound {
		t.Errorf("a forged URL: %v", err)
	}
}

func TestUploadStartsWithDescription(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	sara := describe(&candidatev1.ResumeDescription{PersonId: "usr_1", Filename: "cv.pdf"})
	const mebibyte = 1 << 20
	large := []*candidatev1.UploadResumeRequest{sara}
	for range 10 {
		large = append(large, piece(pdfOf(mebibyte)))
	}
	for name, tc := range map[string]struct {
		pieces []*candidatev1.UploadResumeRequest
		field  string // empty if the upload is accepted
	}{
		"nothing":                          {nil, "description"},
		"bytes first":                      {[]*candidatev1.UploadResumeRequest{piece(pdfOf(100)), sara}, "description"},
		"two descriptions":                 {[]*candidatev1.UploadResumeRequest{sara, piece(pdfOf(100)), sara}, "description"},
		"no bytes":                         {[]*candidatev1.UploadResumeRequest{sara}, "chunk"},
		"empty bytes":                      {[]*candidatev1.UploadResumeRequest{sara, piece([]byte{}), piece([]byte{})}, "chunk"},
		"not a document":                   {[]*candidatev1.UploadResumeRequest{sara, piece([]byte("MZ"))}, "chunk"},
		"no person":                        {[]*candidatev1.UploadResumeRequest{describe(&candidatev1.ResumeDescription{}), piece(pdfOf(100))}, "description.person_id"},
		"a name that is too long":          {[]*candidatev1.UploadResumeRequest{describe(&candidatev1.ResumeDescription{PersonId: "usr_1", Filename: strings.Repeat("س", 256)})}, "description.filename"},
		"a name of maximum length":         {[]*candidatev1.UploadResumeRequest{describe(&candidatev1.ResumeDescription{PersonId: "usr_1", Filename: strings.Repeat("س", 255)}), piece(pdfOf(100))}, ""},
		"ten mebibytes":                    {large, ""},
		"one byte more than ten mebibytes": {append(large[:11:11], piece([]byte("x"))), "chunk"},
		"pieces of any size":               {[]*candidatev1.UploadResumeRequest{sara, piece([]byte("%P")), piece(nil), piece([]byte("DF-1.7"))}, ""},
	} {
		_, err := r.send("vitaectl", tc.pieces...)
		e, _ := errs.As(err)
		if tc.field == "" && err != nil || tc.field != "" && (e == nil || e.Kind != errs.Invalid || e.Field() != tc.field) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.send("internal", describe(&candidatev1.ResumeDescription{PersonId: "usr_nobody"}), piece(pdfOf(100))); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Errorf("an upload without an owner: %v", err)
	}
}
