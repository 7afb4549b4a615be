package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// BenchmarkIdleMemory runs first, while the services are idle.
func BenchmarkIdleMemory(b *testing.B) {
	for range b.N {
		for _, service := range []string{"auth", "partnercatalog", "candidate", "cvrender", "gateway"} {
			processes := system.Services(service)
			if len(processes) == 0 {
				b.Fatalf("no process of service %s", service)
			}
			b.ReportMetric(expect.Must(residentMB(processes[0], "VmRSS"))(b), service+"-MB")
			b.ReportMetric(expect.Must(residentMB(processes[0], "RssAnon"))(b), service+"-own-MB")
		}
	}
	b.ReportMetric(0, "ns/op")
}

func floorOfUser(s scene.Connected, path string) floorOf {
	return floorOf{
		service: "candidate", path: path, id: s.Created.People["layla"].ID,
		account: s.Created.Developers["dev"].ID, credential: s.Tokens.Access,
	}
}

// introspection returns a function that introspects a valid token.
func introspection(b *testing.B) func(context.Context) error {
	b.Helper()
	s := connected(b)
	return func(ctx context.Context) error { return ok(s.App.Introspect(ctx, s.Tokens.Access)) }
}

// refresh returns a function that refreshes tokens, for a number of concurrent clients. Each client has
// its own grant, because using a refresh token twice is a replay.
func refresh(b *testing.B, clients int) func(context.Context) error {
	b.Helper()
	tokens := make(chan grant, clients)
	for range clients {
		s := connected(b)
		tokens <- grant{s.App, s.Tokens.Refresh}
	}
	return func(ctx context.Context) error {
		g := <-tokens
		defer func() { tokens <- g }()
		res, err := g.app.Refresh(ctx, g.token, "")
		if err != nil {
			return err
		}
		next, err := res.Tokens()
		g.token = next.Refresh
		return err
	}
}

type grant struct {
	app   partner.Client
	token string
}

// BenchmarkPDF measures rendering a CV that has just changed in a warm Chromium, and reading a PDF
// whose content has not changed.
func BenchmarkPDF(b *testing.B) {
	s := connected(b)
	change := summaryChanger(b, s.Created.People["layla"].ID)
	read := get(s.App.BaseURL+"/v1/me/cv.pdf", s.Tokens.Access)
	for b.Loop() {
		render, err := medianTime(b.Context(), 30, change, read)
		if err != nil {
			b.Fatal(err)
		}
		again, err := medianTime(b.Context(), 100, func(context.Context, int) error { return nil }, read)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(render.Microseconds())/1000, "changed-ms")
		b.ReportMetric(float64(again.Microseconds())/1000, "unchanged-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// summaryChanger returns a function that changes the summary of the main CV over gRPC.
func summaryChanger(b *testing.B, personID string) func(context.Context, int) error {
	b.Helper()
	identity, err := mtls.Load(mtls.Files(system.TLSDir(), "internal"))
	if err != nil {
		b.Fatal(err)
	}
	note, err := system.Note()
	if err != nil {
		b.Fatal(err)
	}
	conn, err := grpcx.Dial(note.GRPC.Candidate, "candidate", identity)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	profiles := candidatev1.NewProfileServiceClient(conn)
	got, err := profiles.GetProfile(b.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: personID}})
	if err != nil {
		b.Fatal(err)
	}
	profile := got.GetProfile()
	var mu sync.Mutex
	return func(ctx context.Context, i int) error {
		mu.Lock()
		defer mu.Unlock()
		profile.Content.Summary = fmt.Sprintf("Summary number %d. %s", i, strings.Repeat("It says a little. ", 5))
		_, err := profiles.UpdateProfile(ctx, &candidatev1.UpdateProfileRequest{
			Profile: profile, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"content"}},
		})
		return err
	}
}

func ok(a partner.Response, err error) error {
	if err == nil && a.Status != http.StatusOK {
		err = errors.New(a.String())
	}
	return err
}
