package bench

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// kindOfCall is a kind of call that BenchmarkCosts measures.
type kindOfCall struct {
	name string
	load load
	make func(*testing.B) preparedCall
}

// preparedCall is a call that can be repeated.
type preparedCall struct {
	call func(context.Context) error
	// size is the size of the response body in bytes.
	size float64
	// floor describes the read from the floor server to compare with, if there is one.
	floor floorOf
	// baseline returns the call to compare with instead of the floor server.
	baseline func(*testing.B) baseline
}

// baseline is a call with which a different call is compared.
type baseline struct {
	name string
	call func(context.Context) error
}

var (
	// busy keeps every process of the stack busy: sixteen clients suffice for two cores.
	busy = load{clients: clients, span: 2 * time.Second, rounds: 1}
	// calm is for calls that take, or may have to wait, tens of milliseconds: cvrender queues up to
	// four requests per person.
	calm = load{clients: 4, span: 3 * time.Second, rounds: 1}
)

// kindsOfCalls lists what partners and people do. A "connect" is a sign-in in a new browser, consent,
// and the exchange of the code. An "apply" comes from an internal team, over gRPC.
var kindsOfCalls = []kindOfCall{
	{"me", busy, readOf("/v1/me", "/me")},
	{"cv", busy, readOf("/v1/me/cv", "/me/cv")},
	{"job", busy, readOfJob},
	{"candidates", busy, readOfCandidates},
	{"introspection", busy, func(b *testing.B) preparedCall { return preparedCall{call: introspection(b), size: 300} }},
	{"refresh", busy, func(b *testing.B) preparedCall { return preparedCall{call: refresh(b, busy.clients), size: 400} }},
	{"pdf unchanged", calm, readOf("/v1/me/cv.pdf", "")},
	{"pdf rendered", load{clients: 1, span: 4 * time.Second, rounds: 1}, renderedPDF},
	{"connect", calm, connecting},
	{"create job", busy, creatingJobs},
	{"apply", load{clients: 8, span: time.Second, rounds: 1}, applying},
}

func readOf(path, floorPath string) func(*testing.B) preparedCall {
	return func(b *testing.B) preparedCall {
		s := connected(b)
		made := sized(b, s.App.BaseURL+path, s.Tokens.Access)
		if floorPath != "" {
			made.floor = floorOf{
				service: "candidate", path: floorPath, id: s.Created.People["layla"].ID,
				account: s.Created.Developers["dev"].ID, credential: s.Tokens.Access,
			}
		}
		return made
	}
}

func readOfJob(b *testing.B) preparedCall {
	e := newEmployer(b)
	id := e.created.Jobs["template"].ID
	made := sized(b, e.baseURL+"/v1/jobs/"+id, e.key)
	made.floor = floorOf{service: "partnercatalog", path: "/job", id: id, account: e.created.Developers["platform"].ID, credential: e.key}
	return made
}

// readOfCandidates returns a read of a page of 25 applications.
func readOfCandidates(b *testing.B) preparedCall {
	e := newEmployer(b)
	db := e.database(b, "candidate")
	people := "page" + world.Unique()
	fill(b, db, "people", e.created.People["layla"].ID, people, 25)
	id := e.created.Jobs["big"].ID
	fill(b, db, "applications", e.created.Applications["template"].ID, id, people, 25)
	fill(b, db, "totals", id)
	return sized(b, e.baseURL+"/v1/jobs/"+id+"/candidates", e.key)
}

// sized returns a read with the size of its response. It retries until a request succeeds, because
// Chromium may still be starting.
func sized(b *testing.B, url, credential string) preparedCall {
	b.Helper()
	made := preparedCall{call: get(url, credential)}
	ctx, cancel := context.WithTimeout(b.Context(), 3*time.Minute)
	defer cancel()
	err := stack.Until(ctx, "the first response", func(ctx context.Context) error {
		a, err := partner.Get(ctx, url, credential)
		made.size = float64(len(a.Body))
		return ok(a, err)
	})
	if err != nil {
		b.Fatal(err)
	}
	return made
}

// renderedPDF returns a call that changes the CV and then reads the PDF. Its cost includes the change.
func renderedPDF(b *testing.B) preparedCall {
	s := connected(b)
	change := summaryChanger(b, s.Created.People["layla"].ID)
	made := sized(b, s.App.BaseURL+"/v1/me/cv.pdf", s.Tokens.Access)
	made.baseline = func(b *testing.B) baseline { return baseline{"a bare tab", bareTab(b, s)} }
	read := made.call
	var n atomic.Int64
	made.call = func(ctx context.Context) error {
		if err := change(ctx, int(n.Add(1))); err != nil {
			return err
		}
		return read(ctx)
	}
	return made
}

// connecting returns a call that connects an app again. Each client is a different person, because
// sign-ins of the same person are serialized.
func connecting(b *testing.B) preparedCall {
	free := make(chan scene.Connected, calm.clients)
	for range calm.clients {
		free <- connected(b)
	}
	return preparedCall{call: func(ctx context.Context) error {
		s := <-free
		defer func() { free <- s }()
		_, err := scene.TryConnect(ctx, s.App, person.New(s.Person.Email, s.Person.Password), world.EveryScope)
		return err
	}}
}

func creatingJobs(b *testing.B) preparedCall {
	e := newEmployer(b)
	api := partner.Employer{BaseURL: e.baseURL, Key: e.key}
	made := preparedCall{call: func(ctx context.Context) error {
		_, err := createJob(ctx, api, e.created.Companies["small"].ID)
		return err
	}}
	made.size = float64(len(expect.Must(createJob(b.Context(), api, e.created.Companies["small"].ID))(b).Body))
	return made
}

func createJob(ctx context.Context, api partner.Employer, company string) (partner.Response, error) {
	a, err := api.CreateJob(ctx, company, world.Live())
	if err == nil && a.Status != http.StatusCreated {
		err = fmt.Errorf("%s", a)
	}
	return a, err
}

// applying returns a call that applies for a job. Every person applies for every job once, which
// suffices for a benchmark.
func applying(b *testing.B) preparedCall {
	const applicants, openJobs = 20, 600
	w := world.World{Developers: []world.Developer{world.Platform()}, Companies: []world.Fields{world.Company().With("ref", "com").With("app", "ats")}}
	for i := range applicants {
		p := world.Full()
		p.Ref, p.CVs = fmt.Sprintf("p%d", i), nil
		w.People = append(w.People, p)
	}
	for i := range openJobs {
		w.Jobs = append(w.Jobs, world.Live().With("ref", fmt.Sprintf("j%d", i)).With("company", "com"))
	}
	created := world.Import(b, system, w)
	intake := candidatev1.NewApplicationIntakeServiceClient(suite.Dial(b, system, expect.Must(system.Note())(b).GRPC.Candidate, "candidate", "internal"))
	var n atomic.Int64
	return preparedCall{call: func(ctx context.Context) error {
		i := int(n.Add(1)) - 1
		_, err := intake.Apply(ctx, &candidatev1.ApplyRequest{
			JobId:      created.Jobs[fmt.Sprintf("j%d", i%openJobs)].ID,
			PersonId:   created.People[fmt.Sprintf("p%d", i/openJobs%applicants)].ID,
			Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
			Source:     candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_PAGE,
		})
		return err
	}}
}
