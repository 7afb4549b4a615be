package ha_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/backingtest"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// bucket is the name of the bucket. prefix is the prefix of all object names.
const bucket, prefix = "resumes", "vitae/"

func TestResumesAreStoredInS3(t *testing.T) {
	s3 := startS3(t)
	pg := expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: newPlace(t), Throwaway: true}))(t)
	t.Cleanup(pg.Kill)
	s := start(t, "VITAE_POSTGRES_URL="+pg.URL("postgres"),
		"VITAE_BLOB_URL=s3://"+bucket+"?region="+s3.Region+"&endpoint="+s3.URL()+"&use_path_style=true&prefix="+prefix,
		"AWS_ACCESS_KEY_ID="+s3.AccessKey, "AWS_SECRET_ACCESS_KEY="+s3.Secret)
	c := newClients(t, s, 0)
	submitted, forgotten := newResume(), newResume()
	kept := expect.Must(c.upload(t, submitted))(t)
	left := expect.Must(c.upload(t, forgotten))(t)
	if objects := expect.Must(s3.Objects())(t); len(objects) != 2 || filepath.Dir(filepath.Dir(objects[0])) != bucket+"/vitae" {
		t.Errorf("the objects are %q", objects)
	}
	address := c.submit(t, kept)
	downloads(t, address, submitted)

	s3.Kill()
	if _, err := c.upload(t, newResume()); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("an upload without the bucket: %v", err)
	}
	if err := s3.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	downloads(t, address, submitted)
	expect.Eventually(t, "an upload after the restart of S3", func(context.Context) error {
		_, err := c.upload(t, newResume())
		return err
	})

	// All resumes except the submitted one are now old enough for the candidate service to remove them at its
	// next start.
	admin := expect.Must(pgx.Connect(t.Context(), pg.URL("vitae_candidate")))(t)
	defer admin.Close(context.WithoutCancel(t.Context()))
	expect.Must(admin.Exec(t.Context(), "UPDATE resumes SET created_at = created_at - interval '2 days'"))(t)
	suite.Stop(t, s)
	suite.Begin(t, s)
	expect.Eventually(t, "unused resumes are removed from the bucket", func(context.Context) error {
		if objects, err := s3.Objects(); err != nil || len(objects) != 1 {
			return fmt.Errorf("%q, %w", objects, err)
		}
		return nil
	})
	downloads(t, address, submitted)
	if _, err := c.applyWith(t, left); err == nil {
		t.Error("a removed resume can be submitted")
	}
}

// startS3 starts the S3 server that `make test-ha` builds.
func startS3(t *testing.T) *backingtest.S3 {
	t.Helper()
	root := expect.Must(testkit.Root())(t)
	s3, err := backingtest.StartS3(t.Context(), filepath.Join(root, "bin", "tools", "versitygw"), newPlace(t), bucket)
	if err != nil {
		t.Fatalf("%v\n`make test-ha` builds the server", err)
	}
	t.Cleanup(s3.Kill)
	return s3
}

func newResume() []byte {
	content := make([]byte, 300<<10)
	_, _ = rand.Read(content) // does not fail
	copy(content, "%PDF-1.7\n")
	return content
}

// upload uploads a resume and returns its id.
func (c *clients) upload(t *testing.T, content []byte) (string, error) {
	t.Helper()
	note := expect.Must(c.Note())(t)
	resumes := candidatev1.NewResumeServiceClient(suite.Dial(t, c.Stack, note.GRPC.Candidate, "candidate", "internal"))
	stream, err := resumes.UploadResume(t.Context())
	if err != nil {
		return "", err
	}
	about := &candidatev1.ResumeDescription{PersonId: c.People[0], Filename: "cv.pdf"}
	// If a message cannot be sent, CloseAndRecv returns the cause.
	_ = errors.Join(
		stream.Send(&candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Description{Description: about}}),
		stream.Send(&candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Chunk{Chunk: content}}),
	)
	made, err := stream.CloseAndRecv()
	return made.GetResumeId(), err
}

// applyWith applies for a new job with a resume.
func (c *clients) applyWith(t *testing.T, resume string) (*candidatev1.ApplyResponse, error) {
	t.Helper()
	job := load.ID(expect.Must(c.Employer(0).CreateJob(t.Context(), c.Company, world.Live()))(t))
	apply := scene.Applying(job, c.People[0])
	apply.Submission = &candidatev1.ApplyRequest_ResumeId{ResumeId: resume}
	return c.Intake.Apply(t.Context(), apply)
}

// submit applies with a resume and returns the employer's download URL.
func (c *clients) submit(t *testing.T, resume string) string {
	t.Helper()
	made := expect.Must(c.applyWith(t, resume))(t)
	a := expect.Must(c.Employer(0).Candidate(t.Context(), made.GetApplication().GetApplicationId()))(t)
	body := expect.Must(a.JSON())(t)
	data, _ := body["data"].(map[string]any)
	held, _ := data["resume"].(map[string]any)
	address, _ := held["downloadUrl"].(string)
	if address == "" {
		t.Fatalf("no resume: %s", a)
	}
	return address
}

// downloads asserts that a URL serves a resume, whole and in part, but only with its signature.
func downloads(t *testing.T, address string, content []byte) {
	t.Helper()
	u := expect.Must(url.Parse(address))(t)
	whole := expect.Must(partner.Get(t.Context(), address, ""))(t)
	if whole.Status != http.StatusOK || !bytes.Equal(whole.Body, content) {
		t.Errorf("the resume: status %d with %d bytes", whole.Status, len(whole.Body))
	}
	for header, want := range map[string]string{
		"Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="cv.pdf"; filename*=UTF-8''cv.pdf`, "Cache-Control": "private, no-store",
	} {
		if got := whole.Header.Get(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	part := expect.Must(partner.Get(t.Context(), address, "", "Range", "bytes=1000-1999"))(t)
	if part.Status != http.StatusPartialContent || !bytes.Equal(part.Body, content[1000:2000]) {
		t.Errorf("a part: status %d with %d bytes", part.Status, len(part.Body))
	}
	forged := *u
	query := forged.Query()
	signature := []byte(query.Get("X-Amz-Signature"))
	slices.Reverse(signature)
	query.Set("X-Amz-Signature", string(signature))
	forged.RawQuery = query.Encode()
	bare := *u
	bare.RawQuery = ""
	for what, address := range map[string]string{"a forged signature": forged.String(), "no signature": bare.String()} {
		if a := expect.Must(partner.Get(t.Context(), address, ""))(t); a.Status != http.StatusForbidden {
			t.Errorf("%s: status %d", what, a.Status)
		}
	}
}
