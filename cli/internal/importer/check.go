package importer

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
)

// unknownParent replaces the id of an object that does not exist yet. In a dry run, services do not look it up.
const unknownParent = "pending"

// Check sends all of w to the services in dry runs and adds to faults the errors that they find. It writes
// nothing. It returns an error if a service is unavailable or fails.
func Check(ctx context.Context, s Services, w world.World, faults *world.Faults) error {
	c := &checker{ctx: ctx, faults: faults}
	for _, p := range w.People {
		c.person(s, p)
	}
	for _, d := range w.Developers {
		c.developer(s, d)
	}
	for _, company := range w.Companies {
		c.company(s, company)
	}
	jobs := map[string]world.Job{}
	for _, j := range w.Jobs {
		c.job(s, j)
		jobs[j.Ref] = j
	}
	for _, a := range w.Applications {
		c.application(s, a, jobs[a.Job])
	}
	return c.err
}

// checker sends dry runs one at a time. It stops when a service fails.
type checker struct {
	ctx    context.Context
	faults *world.Faults
	err    error
}

func (c *checker) person(s Services, p world.Person) {
	account := proto.CloneOf(p.Account)
	account.ValidateOnly = true
	ask(c, c.ctx, account, s.People.CreatePerson, p.Path, nil)

	profile := proto.CloneOf(p.Profile)
	profile.ValidateOnly = true
	profile.GetProfile().PersonId = unknownParent
	ask(c, c.ctx, profile, s.Profiles.CreateProfile, p.Path, func(field string) string {
		// In a file, "profile" holds the content of the main CV. All other profile fields are directly in the
		// person object.
		return moved(moved(field, "profile", ""), "content", "profile")
	})
	for _, cv := range p.CVs {
		req := proto.CloneOf(cv.Request)
		req.ValidateOnly = true
		req.PersonId = unknownParent
		ask(c, c.ctx, req, s.Profiles.CreateCv, cv.Path, func(field string) string {
			return moved(field, "content", "document")
		})
	}
}

func (c *checker) developer(s Services, d world.Developer) {
	account := proto.CloneOf(d.Request)
	account.ValidateOnly = true
	ask(c, c.ctx, account, s.Developers.CreateAccount, d.Path, nil)
	for _, app := range d.Apps {
		req := proto.CloneOf(app.Request)
		req.ValidateOnly = true
		req.AccountId = unknownParent
		ask(c, c.ctx, req, s.Developers.CreateApp, app.Path, nil)
		for _, key := range app.Keys {
			req := proto.CloneOf(key.Request)
			req.ValidateOnly = true
			req.AppId = unknownParent
			ask(c, c.ctx, req, s.Developers.CreateApiKey, key.Path, nil)
		}
	}
}

// ask sends a dry run to a service and records all errors that it returns. thing is the path of the object in
// the file. inFile maps the path of a request field, in JSON names, to its path in the object. If inFile is
// nil, the two paths are the same.
func ask[Req proto.Message, Resp any](
	c *checker, ctx context.Context, req Req, call func(context.Context, Req, ...grpc.CallOption) (Resp, error),
	thing string, inFile func(field string) string,
) {
	askAt(c, ctx, req, call, func(field string) string {
		field = jsonPath(req.ProtoReflect().Descriptor(), field)
		if inFile != nil {
			field = inFile(field)
		}
		return join(thing, field)
	})
}

// askAt is like ask, but toFile maps the path of a field, in proto names, to a path in the file.
func askAt[Req proto.Message, Resp any](
	c *checker, ctx context.Context, req Req, call func(context.Context, Req, ...grpc.CallOption) (Resp, error),
	toFile func(field string) string,
) {
	if c.err != nil {
		return
	}
	_, err := call(ctx, req)
	if err == nil {
		return
	}
	refusal, ok := errs.As(err)
	if !ok || !isRefusal(refusal.Kind) {
		c.err = err
		return
	}
	c.note(violationsOf(refusal), toFile)
}

// note records the violations that a service has found. It skips fields that already have an error, because the
// service did not receive their values from the file.
func (c *checker) note(violations []errs.Violation, toFile func(field string) string) {
	var found []world.Fault
	for _, v := range violations {
		if at := toFile(v.Field); !c.faults.Known(at) {
			found = append(found, world.Fault{Path: at, Message: v.Description})
		}
	}
	for _, f := range found {
		c.faults.Add(f.Path, f.Message)
	}
}

// violationsOf returns the violations of an error. An error without violations becomes one that applies to the
// whole object.
func violationsOf(refusal *errs.Error) []errs.Violation {
	if len(refusal.Violations) > 0 {
		return refusal.Violations
	}
	return []errs.Violation{{Description: refusal.Message}}
}

func isRefusal(k errs.Kind) bool {
	return k == errs.Invalid || k == errs.Exists || k == errs.Precondition
}
