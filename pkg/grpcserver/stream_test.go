package grpcserver_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// files is a fake ResumeService with a stream in each direction. It records the contexts that it
// receives.
type files struct {
	candidatev1.UnimplementedResumeServiceServer
	got       chan context.Context
	refuse    error
	panicking bool
}

func (f *files) UploadResume(stream grpc.ClientStreamingServer[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]) error {
	f.reached(stream.Context())
	size := 0
	for f.refuse == nil {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return stream.SendAndClose(&candidatev1.UploadResumeResponse{Size: int32(size)})
		}
		if err != nil {
			return err
		}
		size += len(piece.GetChunk())
	}
	return f.refuse
}

func (f *files) DownloadResume(_ *candidatev1.DownloadResumeRequest, stream grpc.ServerStreamingServer[candidatev1.DownloadResumeResponse]) error {
	f.reached(stream.Context())
	if f.panicking {
		panic("boom with a secret")
	}
	for range 3 {
		if err := stream.Send(&candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_Chunk{Chunk: make([]byte, 1000)}}); err != nil {
			return err
		}
	}
	return f.refuse
}

// reached sends the context of a stream to the test, or returns when the stream ends.
func (f *files) reached(stream context.Context) {
	select {
	case f.got <- stream:
	case <-stream.Done():
	}
}

func (f *files) register(r grpc.ServiceRegistrar) { candidatev1.RegisterResumeServiceServer(r, f) }

func newFiles() *files { return &files{got: make(chan context.Context, 1)} }

func chunk(n int) *candidatev1.UploadResumeRequest {
	return &candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Chunk{Chunk: make([]byte, n)}}
}

func TestStreamsCarryPrincipalAndDeadline(t *testing.T) {
	f := newFiles()
	dial := start(t, f)
	uploads, downloads := candidatev1.NewResumeServiceClient(dial("vitaectl")), candidatev1.NewResumeServiceClient(dial("gateway"))
	call := func(ctx context.Context) {
		t.Helper()
		up, err := uploads.UploadResume(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := up.Send(chunk(1 << 20)); err != nil {
				t.Fatal(err)
			}
		}
		if resp, err := up.CloseAndRecv(); err != nil || resp.GetSize() != 3<<20 {
			t.Fatalf("uploaded %d bytes: %v", resp.GetSize(), err)
		}
	}
	read := func(ctx context.Context) {
		t.Helper()
		down, err := downloads.DownloadResume(ctx, &candidatev1.DownloadResumeRequest{Query: "q"})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := down.Recv(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := down.Recv(); !errors.Is(err, io.EOF) {
			t.Fatalf("after the last message: %v, want io.EOF", err)
		}
	}
	for name, run := range map[string]func(context.Context){"upload": call, "download": read} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		ctx = principal.NewContext(grpcx.WithRequestID(ctx, "req_1"), &identityv1.Principal{PersonId: "usr_1"})
		run(ctx)
		got := <-f.got
		if principal.FromContext(got).GetPersonId() != "usr_1" || grpcx.RequestID(got) != "req_1" {
			t.Errorf("%s: principal %v, request id %q", name, principal.FromContext(got), grpcx.RequestID(got))
		}
		if theirs, ok := got.Deadline(); !ok || time.Until(theirs) >= 30*time.Second {
			t.Errorf("%s: the callee's deadline is in %v, want less than the caller's 30s", name, time.Until(theirs))
		}
		run(context.WithoutCancel(t.Context()))
		if _, ok := (<-f.got).Deadline(); !ok {
			t.Errorf("%s: without a deadline in the caller, the stream has none", name)
		}
	}
}

// patient returns a context with a timeout, for calls that would block if the access check were wrong.
func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestErrorInStreamReachesCaller(t *testing.T) {
	f := newFiles()
	f.refuse = errs.New(errs.Invalid, "INVALID_ARGUMENT", "chunk: too large").WithField("chunk")
	dial, ctx := start(t, f), patient(t)

	up, err := candidatev1.NewResumeServiceClient(dial("vitaectl")).UploadResume(ctx)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-f.got:
	case <-ctx.Done():
		t.Fatal("the upload was not accepted")
	}
	for err == nil && ctx.Err() == nil { // until the client sees the error
		err = up.Send(chunk(1 << 20))
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("Send returned %v, want io.EOF", err)
	}
	_, err = up.CloseAndRecv()
	if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != "chunk" {
		t.Errorf("upload: %v", err)
	}

	down, err := candidatev1.NewResumeServiceClient(dial("gateway")).DownloadResume(ctx, &candidatev1.DownloadResumeRequest{Query: "q"})
	for err == nil && ctx.Err() == nil {
		_, err = down.Recv()
	}
	if !errs.HasCode(err, "INVALID_ARGUMENT") {
		t.Errorf("download: %v", err)
	}
}

func TestEveryStreamMessageIsValidated(t *testing.T) {
	f, ctx := newFiles(), patient(t)
	up, err := candidatev1.NewResumeServiceClient(start(t, f)("vitaectl")).UploadResume(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := up.Send(chunk(1)); err != nil {
		t.Fatal(err)
	}
	if err := up.Send(chunk(1<<20 + 1)); err != nil {
		t.Fatal(err)
	}
	_, err = up.CloseAndRecv()
	if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != "chunk" {
		t.Errorf("a chunk that is too large: %v", err)
	}
}

func TestStreamsCheckCallersAndHidePanics(t *testing.T) {
	f := newFiles()
	f.panicking = true
	dial, ctx := start(t, f), patient(t)
	first := func(caller string) error {
		down, err := candidatev1.NewResumeServiceClient(dial(caller)).DownloadResume(ctx, &candidatev1.DownloadResumeRequest{Query: "q"})
		if err != nil {
			return err
		}
		_, err = down.Recv()
		return err
	}
	if err := first("vitaectl"); !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
		t.Errorf("vitaectl: %v", err)
	}
	if err := first("gateway"); errs.KindOf(err) != errs.Internal {
		t.Errorf("panic: %v", err)
	}
}

// A message above the maximum size is rejected before it is read completely or validated.
func TestOversizedMessageIsRejected(t *testing.T) {
	f, ctx := newFiles(), patient(t)
	up, err := candidatev1.NewResumeServiceClient(start(t, f)("vitaectl")).UploadResume(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = up.Send(chunk(10<<20 + 1))
	if errs.KindOf(err) != errs.Unavailable {
		t.Errorf("Send returned %v, want Unavailable", err)
	}
}
