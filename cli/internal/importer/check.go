package importer

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
)

// unknownParent stands for the id of what is not created yet. With validate_only
// the services do not look it up.
const unknownParent = "pending"

// Check asks the services about everything in w and adds what they would refuse
// to faults. Nothing is written. The error is for a service that cannot say.
func Check(ctx context.Context, s Services, w world.World, faults *world.Faults) error {
	c := checker{ctx: ctx, faults: faults}
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

// checker asks one question after the other and stops at the first that gets no
// answer.
type checker struct {
	ctx    context.Context
	faults *world.Faults
	err    error
}

func (c *checker) person(s Services, p world.Person) {
	account := proto.CloneOf(p.Account)
	account.ValidateOnly = true
	ask(c, account, s.People.CreatePerson, func(f string) string { return join(p.Path, f) })

	profile := proto.CloneOf(p.Profile)
	profile.ValidateOnly = true
	profile.GetProfile().PersonId = unknownParent
	ask(c, profile, s.Profiles.CreateProfile, func(f string) string {
		field := below(f, "profile")
		if field == "content" || strings.HasPrefix(field, "content.") {
			field = join("profile", below(field, "content"))
		}
		return join(p.Path, field)
	})
	for _, cv := range p.CVs {
		req := proto.CloneOf(cv.Request)
		req.ValidateOnly = true
		req.PersonId = unknownParent
		ask(c, req, s.Profiles.CreateCv, func(f string) string {
			if f == "content" || strings.HasPrefix(f, "content.") {
				f = join("document", below(f, "content"))
			}
			return join(cv.Path, f)
		})
	}
}

func (c *checker) developer(s Services, d world.Developer) {
	account := proto.CloneOf(d.Request)
	account.ValidateOnly = true
	ask(c, account, s.Developers.CreateAccount, func(f string) string { return join(d.Path, f) })
	for _, app := range d.Apps {
		req := proto.CloneOf(app.Request)
		req.ValidateOnly = true
		req.AccountId = unknownParent
		ask(c, req, s.Developers.CreateApp, func(f string) string { return join(app.Path, f) })
		for _, key := range app.Keys {
			req := proto.CloneOf(key.Request)
			req.ValidateOnly = true
			req.AppId = unknownParent
			ask(c, req, s.Developers.CreateApiKey, func(f string) string { return join(key.Path, f) })
		}
	}
}

// ask puts req to the service until it has nothing more to refuse: a refused
// field is noted, taken out of the request, and the rest is asked about again.
// toFile turns a field of the request, in JSON names, into a path of the file.
func ask[Req proto.Message, Resp any](
	c *checker, req Req, call func(context.Context, Req, ...grpc.CallOption) (Resp, error), toFile func(string) string,
) {
	askFrom(c, c.ctx, req, call, newReduction(req).field, toFile)
}

// askFrom is ask in a context of its own, where takeOut takes a refused field
// out and says where it stood and whether to go on.
func askFrom[Req proto.Message, Resp any](
	c *checker, ctx context.Context, req Req, call func(context.Context, Req, ...grpc.CallOption) (Resp, error),
	takeOut func(field string) (jsonPath string, goOn bool), toFile func(string) string,
) {
	for c.err == nil {
		_, err := call(ctx, req)
		if err == nil {
			return
		}
		refusal, ok := errs.As(err)
		if !ok || !isRefusal(refusal.Kind) {
			c.err = err
			return
		}
		field := refusal.Field()
		if field == "" {
			field = fieldOf[refusal.Code]
		}
		jsonPath, goOn := takeOut(field)
		if at := toFile(jsonPath); !c.faults.Known(at) {
			c.faults.Add(at, ruleOf(refusal, jsonPath))
		}
		if !goOn {
			return
		}
	}
}

// fieldOf gives the field of a refusal that is not about the form of one field,
// but about what is there already.
var fieldOf = map[string]string{"EMAIL_TAKEN": "email", "USERNAME_TAKEN": "profile.username"}

func isRefusal(k errs.Kind) bool {
	return k == errs.Invalid || k == errs.Exists || k == errs.Precondition
}

// ruleOf is the message without the field in front, if the path of the fault
// says which field it is.
func ruleOf(e *errs.Error, jsonPath string) string {
	if jsonPath == "" {
		return e.Message
	}
	return strings.TrimPrefix(e.Message, e.Field()+": ")
}

// join puts the path of a field behind the path of the thing that has it.
func join(path, field string) string {
	switch {
	case field == "":
		return path
	case strings.HasPrefix(field, "["):
		return path + field
	default:
		return fmt.Sprintf("%s.%s", path, field)
	}
}

// below is the rest of a path inside the named field.
func below(path, field string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, field), ".")
}
