package app

import (
	"context"
	"errors"
	"log/slog"

	goredis "github.com/redis/go-redis/v9"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/picture"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/credentials/cleanup"
	"vitae.internal/services/auth/internal/credentials/expiry"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/geoip"
	"vitae.internal/services/auth/internal/grpcapi"
	"vitae.internal/services/auth/internal/grpcapi/activity"
	"vitae.internal/services/auth/internal/grpcapi/oauth"
	"vitae.internal/services/auth/internal/grpcapi/people"
	"vitae.internal/services/auth/internal/grpcapi/platform"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/export"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/password"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/people/signup"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/redis"
)

// parts holds the components that several use cases and jobs share.
type parts struct {
	stores      *postgres.Stores
	addresses   *geoip.Database
	records     *redis.Records
	revocations *revocation.Publisher
	hasher      *password.Hasher
	sessions    *session.Service
	slowing     *throttle.Throttle
	links       *maillink.Links
	post        mail.Post
	deletions   *deletion.Service
	usage       *usage.Service
	audit       *auditlog.Service
	console     *console.Service
	members     *team.Service
	clock       clock.Clock
	log         *slog.Logger
}

// backends holds the connections to other systems.
type backends struct {
	stores    *postgres.Stores
	redis     goredis.UniversalClient
	addresses *geoip.Database
}

func newParts(b backends, c Config, o options, log *slog.Logger) (*parts, error) {
	stores, rdb := b.stores, b.redis
	p := &parts{stores: stores, addresses: b.addresses, clock: o.clock, log: log, post: mail.Post{On: c.Mail.on(), Console: c.ConsoleURL != "", Clock: o.clock}}
	keys, err := c.recordKeys()
	if err != nil {
		return nil, err
	}
	if p.links, err = maillink.New(c.AppURL, keys); err != nil {
		return nil, err
	}
	seal, err := sessionrecord.NewSeal(keys)
	if err != nil {
		return nil, err
	}
	if p.records, err = redis.NewRecords(redis.RecordsConfig{
		Client: rdb, Redis: c.Redis, Seal: seal, Encode: oauth.SessionRecordToProto, Clock: o.clock, Log: log,
	}); err != nil {
		return nil, err
	}
	if p.revocations, err = revocation.NewPublisher(revocation.Config{
		Records: p.records, Outbox: stores.Outbox, WaitOut: o.waitOut, Clock: o.clock, Log: log,
	}); err != nil {
		return nil, err
	}
	if err := p.signIn(rdb, c, o); err != nil {
		return nil, err
	}
	if err := p.teams(); err != nil {
		return nil, err
	}
	if p.deletions, err = deletion.NewService(deletion.Config{
		Store: stores.Deletions, Connections: stores.Connections, Revocations: p.revocations, Post: p.post, Clock: o.clock,
	}); err != nil {
		return nil, err
	}
	if p.audit, err = auditlog.NewService(auditlog.Config{Store: stores.Audit, Partitions: stores.Audit, Clock: o.clock, Log: log}); err != nil {
		return nil, err
	}
	p.usage, err = usage.NewService(usage.Config{Store: stores.Usage, Partitions: stores.Usage, Countries: p.addresses, Clock: o.clock, Log: log})
	return p, err
}

// teams builds the components that authorize users of the developer console.
func (p *parts) teams() error {
	var err error
	if p.console, err = console.NewService(console.Config{Store: p.stores.Console, Clock: p.clock}); err != nil {
		return err
	}
	p.members, err = team.NewService(team.Config{Store: p.stores.Teams, Sessions: p.console, Clock: p.clock})
	return err
}

// signIn builds the components that check passwords.
func (p *parts) signIn(rdb goredis.UniversalClient, c Config, o options) error {
	var err error
	if p.hasher, err = password.New(password.Config{Params: o.password, Limits: password.Limits{
		AtOnce: c.PasswordsAtOnce, Waiting: c.PasswordsWaiting, PerShare: max(1, c.PasswordsWaiting/sharesOfQueue),
	}}); err != nil {
		return err
	}
	attempts, err := redis.NewAttempts(rdb)
	if err != nil {
		return err
	}
	p.slowing, err = throttle.New(throttle.Config{Shared: attempts, Clock: p.clock, Log: p.log})
	if err != nil {
		return err
	}
	guesses, err := ceiling.NewService(ceiling.Config{Store: p.stores.Guesses, Clock: p.clock, Log: p.log})
	if err != nil {
		return err
	}
	p.sessions, err = session.NewService(session.Config{
		Store: p.stores.Sessions, People: p.stores.People, Hasher: p.hasher, Throttle: p.slowing, Ceiling: guesses,
		Life: c.SessionLife, DeviceLife: c.DeviceLife, Whereabouts: whereabouts{p.addresses}, Post: p.post, Clock: p.clock, Log: p.log,
	})
	return err
}

// sharesOfQueue is the number of client IP addresses needed to fill the queue of password checks.
const sharesOfQueue = 8

// api builds the use cases for the gRPC API.
func (p *parts) api(c Config) (*grpcapi.API, error) {
	api := &grpcapi.API{
		People:   people.Config{Sessions: p.sessions, Deletions: p.deletions},
		OAuth:    oauth.Config{Sessions: p.sessions},
		Platform: platform.Config{Console: p.console, Members: p.members, Plans: c.plans()},
		Activity: activity.Config{Usage: p.usage, Audit: p.audit, Sessions: p.sessions, Countries: p.addresses},
	}
	var err error
	api.Activity.Requests, err = requestlog.NewService(p.stores.Usage, p.clock)
	return api, errors.Join(err, p.accounts(&api.People, c.AppURL), p.oauth(&api.OAuth, c), p.platform(&api.Platform, c))
}

func (p *parts) platform(api *platform.Config, c Config) (err error) {
	if api.Invitations, err = invitation.NewService(invitation.Config{Store: p.stores.Teams, Links: p.links, Post: p.post, Clock: p.clock}); err != nil {
		return err
	}
	if api.Accounts, err = account.NewService(account.Config{
		Store: p.stores.Accounts, Revocations: p.revocations, Post: p.post, Clock: p.clock,
		Reserved: append([]string{console.AccountName, console.AppName}, c.ReservedNames...),
	}); err != nil {
		return err
	}
	api.Apps, err = app.NewService(app.Config{
		Store: p.stores.Apps, Accounts: api.Accounts, Revocations: p.revocations, Pictures: picture.NewEncoder(), Post: p.post, Clock: p.clock,
	})
	return err
}

func (p *parts) oauth(api *oauth.Config, c Config) (err error) {
	if api.Authorizations, err = authorize.NewService(authorize.Config{
		Store: p.stores.Grants, Sessions: p.sessions, Revocations: p.revocations, CodeLife: c.CodeLife, Post: p.post, Clock: p.clock,
	}); err != nil {
		return err
	}
	if api.Grants, err = grant.NewService(grant.Config{
		Store: p.stores.Grants, Revocations: p.revocations, AccessLife: c.AccessLife, RefreshLife: c.RefreshLife, Clock: p.clock,
	}); err != nil {
		return err
	}
	if api.Credentials, err = state.NewService(state.Config{
		Store: p.stores.States, Records: p.records, Plans: c.plans(), Clock: p.clock, Log: p.log,
	}); err != nil {
		return err
	}
	if api.Tokens, err = token.NewService(token.Config{
		Store: p.stores.Grants, Revocations: p.revocations, Records: api.Credentials, Clock: p.clock,
	}); err != nil {
		return err
	}
	api.Connections, err = connection.NewService(connection.Config{
		Store: p.stores.Connections, Revocations: p.revocations, ShowCountries: p.addresses.On(), Clock: p.clock,
	})
	return err
}

// accounts builds the use cases with which people manage their own accounts.
func (p *parts) accounts(api *people.Config, appURL string) (err error) {
	if api.People, err = person.NewService(person.Config{Store: p.stores.People, Hasher: p.hasher, Clock: p.clock}); err != nil {
		return err
	}
	if api.Passkeys, err = passkey.NewService(passkey.Config{
		Store: p.stores.Passkeys, Sessions: p.sessions, Throttle: p.slowing, Post: p.post, AppURL: appURL, Clock: p.clock,
	}); err != nil {
		return err
	}
	if api.SignUps, err = signup.NewService(signup.Config{
		Store: p.stores.SignUps, Sessions: p.sessions, Passkeys: api.Passkeys, Hasher: p.hasher, Throttle: p.slowing,
		Post: p.post, Links: p.links, Clock: p.clock,
	}); err != nil {
		return err
	}
	if api.Passwords, err = recovery.NewService(recovery.Config{
		Store: p.stores.Passwords, People: p.stores.People, Sessions: p.sessions, Hasher: p.hasher, Throttle: p.slowing, Post: p.post, Links: p.links,
		Whereabouts: whereabouts{p.addresses}, Clock: p.clock,
	}); err != nil {
		return err
	}
	api.PersonData, err = export.NewService(export.Config{Store: p.stores.Exports, Events: p.stores.Audit, Post: p.post, Clock: p.clock})
	return err
}

// jobs returns the periodic jobs. Every replica runs all of them.
func (p *parts) jobs(c Config) ([]background.Job, error) {
	mailing, err := p.mailJobs(c)
	return append(mailing,
		p.deletions.Job(), p.revocations.Job(), cleanup.Job(p.stores.Cleanup, p.clock), expiry.Job(p.stores.Cleanup, p.clock),
		connection.EndingJob(p.stores.Connections, p.clock), p.usage.RetentionJob(), p.audit.Job(), p.audit.FloodJob(), p.addresses.Job(),
		background.Measure(func(ctx context.Context) (background.Sizes, error) {
			return p.stores.Outbox.Outboxes(ctx, p.clock.Now())
		}),
	), err
}
