package importer

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
)

// unknownParent stands for the id of a thing that is not created yet. In a dry run
// the services do not look it up.
const unknownParent = "pending"

// Check asks the services about everything in w and adds what they would refuse
// to faults. Nothing is written. The error is for a service that cannot answer.
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

// checker asks one question after the other. It asks no more once a service has
// failed to answer.
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
		// A file has the content of the main CV under "profile", and the other fields of
		// the profile in the person.
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

// ask puts a dry run to a service and notes every fault in its answer. thing is the
// path of the thing in the file that the request creates. inFile turns the path of a
// field of the request, in JSON names, into the path of the same field in the thing;
// nil says that both are the same.
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

// askAt is ask, where toFile turns the path of a field in the names of the .proto
// into a path of the file.
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

// note adds the faults of an answer, without those of fields that had a fault before
// it: the service could not know the value that the file has there.
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

// violationsOf gives the faults of a refusal. A refusal that names no field is one fault,
// of the thing itself.
func violationsOf(refusal *errs.Error) []errs.Violation {
	if len(refusal.Violations) > 0 {
		return refusal.Violations
	}
	return []errs.Violation{{Description: refusal.Message}}
}

func isRefusal(k errs.Kind) bool {
	return k == errs.Invalid || k == errs.Exists || k == errs.Precondition
}
