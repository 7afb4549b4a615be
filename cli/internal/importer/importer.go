package importer

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// Services holds the clients of the services to which an import writes.
type Services struct {
	People       authv1.PeopleServiceClient
	Developers   authv1.DeveloperServiceClient
	Members      authv1.MemberServiceClient
	Profiles     candidatev1.ProfileServiceClient
	Companies    partnercatalogv1.CompanyServiceClient
	CompanyPages partnercatalogv1.CompanyPageServiceClient
	Jobs         partnercatalogv1.JobServiceClient
	Applications candidatev1.ApplicationIntakeServiceClient
	Resumes      candidatev1.ResumeServiceClient
}

// Created holds the ids and secrets of the created objects by ref. The secrets cannot be read again.
type Created struct {
	People       map[string]ID  `json:"people"`
	CVs          map[string]ID  `json:"cvs"`
	Developers   map[string]ID  `json:"developers"`
	Apps         map[string]App `json:"apps"`
	APIKeys      map[string]Key `json:"apiKeys"`
	Companies    map[string]ID  `json:"companies"`
	Jobs         map[string]ID  `json:"jobs"`
	Applications map[string]ID  `json:"applications"`
}

// ID holds the id of a created object.
type ID struct {
	ID string `json:"id"`
}

// App holds the id and credentials of a created app. ClientSecret is empty for a public app.
type App struct {
	ID           string `json:"id"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

// Key holds the id and secret of a created API key.
type Key struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

func newCreated() *Created {
	return &Created{
		People: map[string]ID{}, CVs: map[string]ID{}, Developers: map[string]ID{},
		Apps: map[string]App{}, APIKeys: map[string]Key{},
		Companies: map[string]ID{}, Jobs: map[string]ID{}, Applications: map[string]ID{},
	}
}

// Import creates the objects in w, parents before children. Call Check first. If Import fails, the error
// contains the path in the file, and the result holds the objects that have been created so far.
func Import(ctx context.Context, s Services, w world.World) (*Created, error) {
	made := newCreated()
	for _, p := range w.People {
		if err := s.person(ctx, p, made); err != nil {
			return made, err
		}
	}
	for _, d := range w.Developers {
		if err := s.developer(ctx, d, made); err != nil {
			return made, err
		}
	}
	return made, s.employers(ctx, w, made)
}

func (s Services) person(ctx context.Context, p world.Person, made *Created) error {
	account, err := s.People.CreatePerson(ctx, p.Account)
	if err != nil {
		return stopped(p.Path, err)
	}
	id := account.GetPerson().GetId()
	made.People[p.Ref] = ID{id}

	profile := proto.CloneOf(p.Profile)
	profile.GetProfile().PersonId = id
	if _, err := s.Profiles.CreateProfile(ctx, profile); err != nil {
		return stopped(p.Path, err)
	}
	for _, cv := range p.CVs {
		req := proto.CloneOf(cv.Request)
		req.PersonId = id
		resp, err := s.Profiles.CreateCv(ctx, req)
		if err != nil {
			return stopped(cv.Path, err)
		}
		made.CVs[cv.Ref] = ID{resp.GetCv().GetId()}
	}
	return nil
}

func (s Services) developer(ctx context.Context, d world.Developer, made *Created) error {
	account, err := s.Developers.CreateAccount(ctx, d.Request)
	if err != nil {
		return stopped(d.Path, err)
	}
	id := account.GetAccount().GetId()
	made.Developers[d.Ref] = ID{id}
	if d.Suspended { // before the account has owners, because they would get an email
		if _, err := s.Developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: id}); err != nil {
			return stopped(d.Path, err)
		}
	}
	for _, member := range d.Members {
		req := proto.CloneOf(member.Request)
		req.AccountId, req.PersonId = id, made.People[member.Person].ID
		if _, err := s.Members.AddMember(ctx, req); err != nil {
			return stopped(member.Path, err)
		}
	}
	for _, app := range d.Apps {
		if err := s.app(ctx, id, app, made); err != nil {
			return err
		}
	}
	return nil
}

func (s Services) app(ctx context.Context, account string, app world.App, made *Created) error {
	req := proto.CloneOf(app.Request)
	req.AccountId = account
	resp, err := s.Developers.CreateApp(ctx, req)
	if err != nil {
		return stopped(app.Path, err)
	}
	id := resp.GetApp().GetId()
	made.Apps[app.Ref] = App{ID: id, ClientID: resp.GetApp().GetClientId(), ClientSecret: resp.GetClientSecret()}
	for _, key := range app.Keys {
		req := proto.CloneOf(key.Request)
		req.AppId = id
		resp, err := s.Developers.CreateApiKey(ctx, req)
		if err != nil {
			return stopped(key.Path, err)
		}
		made.APIKeys[key.Ref] = Key{ID: resp.GetApiKey().GetId(), Key: resp.GetSecret()}
	}
	return nil
}

func stopped(path string, err error) error {
	return fmt.Errorf("the import stopped at %s: %w", path, err)
}
