package shell

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// AnyToken, used in place of a key id, selects the requests made with tokens and links.
const AnyToken = "token"

const tokensText = "Tokens and links"

// Catalog holds the apps and keys of an account. It provides names for pages and options for
// filters (behaviour: console#names-of-apps-and-keys).
type Catalog struct {
	// apps are the apps that filters offer, sorted by name. keys are their keys by app id, newest
	// first.
	apps []*authv1.App
	keys map[string][]*authv1.ApiKey
	// app and key map the ids of all apps and keys to the apps and keys themselves.
	app map[string]*authv1.App
	key map[string]*authv1.ApiKey
}

// Apps reads the apps of an account. Filters do not offer apps that were deleted before the time
// since.
func (s *Shell) Apps(ctx context.Context, account string, since time.Time) (*Catalog, error) {
	found, err := s.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: account, IncludeDeleted: true})
	if err != nil {
		return nil, err
	}
	k := &Catalog{keys: map[string][]*authv1.ApiKey{}, app: map[string]*authv1.App{}, key: map[string]*authv1.ApiKey{}}
	for _, listed := range found.GetApps() {
		a := listed.GetApp()
		k.app[a.GetId()] = a
		if a.GetDeletedAt() == nil || !a.GetDeletedAt().AsTime().Before(since) {
			k.apps = append(k.apps, a)
		}
	}
	slices.SortStableFunc(k.apps, func(a, b *authv1.App) int {
		return strings.Compare(strings.ToLower(a.GetName()), strings.ToLower(b.GetName()))
	})
	return k, nil
}

// Catalog reads the apps of an account and the keys of one app. If app is "", it reads the keys of
// all apps that filters offer.
func (s *Shell) Catalog(ctx context.Context, account string, since time.Time, app string) (*Catalog, error) {
	k, err := s.Apps(ctx, account, since)
	if err != nil {
		return nil, err
	}
	listed := slices.DeleteFunc(slices.Clone(k.apps), func(a *authv1.App) bool { return app != "" && a.GetId() != app })
	lists, err := s.Keys(ctx, true, listed)
	if err != nil {
		return nil, err
	}
	for i, a := range listed {
		for _, one := range lists[i] {
			k.key[one.GetId()] = one
			if one.GetDeletedAt() == nil || !one.GetDeletedAt().AsTime().Before(since) {
				k.keys[a.GetId()] = append(k.keys[a.GetId()], one)
			}
		}
	}
	return k, nil
}

// maxConcurrentLists is the maximum number of concurrent calls that list keys.
const maxConcurrentLists = 8

// Keys lists the keys of each app. If deleted is set, it includes deleted keys.
func (s *Shell) Keys(ctx context.Context, deleted bool, apps []*authv1.App) ([][]*authv1.ApiKey, error) {
	keys := make([][]*authv1.ApiKey, len(apps))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(maxConcurrentLists)
	for i, app := range apps {
		work.Go(func() error {
			found, err := s.developers.ListApiKeys(ctx, &authv1.ListApiKeysRequest{AppId: app.GetId(), IncludeDeleted: deleted})
			keys[i] = found.GetApiKeys()
			return err
		})
	}
	return keys, work.Wait()
}

// LiveApps returns the apps in listed that are not deleted.
func LiveApps(listed []*authv1.ListedApp) (apps []*authv1.App) {
	for _, l := range listed {
		if l.GetState() != authv1.AppState_APP_STATE_DELETED {
			apps = append(apps, l.GetApp())
		}
	}
	return apps
}

// App returns the app with the given id, or nil if it is unknown.
func (k *Catalog) App(id string) *authv1.App { return k.app[id] }

// Key returns the key with the given id, or nil if it is unknown.
func (k *Catalog) Key(id string) *authv1.ApiKey { return k.key[id] }

// HasPage reports whether the console has a page for an app, which is the case if it is known and
// not deleted.
func (k *Catalog) HasPage(app string) bool {
	return k.app[app] != nil && k.app[app].GetDeletedAt() == nil
}

// OnlyApp returns the id of the only app that is not deleted, or "" if there is no such app or more
// than one.
func (k *Catalog) OnlyApp() (only string) {
	for id := range k.app {
		if k.HasPage(id) && only != "" {
			return ""
		}
		if k.HasPage(id) {
			only = id
		}
	}
	return only
}

// idEnd is the number of characters at the end of an id that are shown to distinguish apps with the
// same name.
const idEnd = 4

// AppName returns the name of an app. It appends the end of the id if another app has the same
// name. It returns the id if the app is unknown.
func (k *Catalog) AppName(id string) string {
	a, known := k.app[id]
	if !known {
		return id
	}
	name := cmp.Or(a.GetName(), id)
	for _, other := range k.apps {
		if other.GetId() != id && other.GetName() == a.GetName() {
			name += " …" + id[max(0, len(id)-idEnd):]
			break
		}
	}
	return Marked(name, a.GetDeletedAt() != nil)
}

// KeyName returns the name of a key. It appends the end of the secret if another key of the same
// app has the same name. It returns the id if the key is unknown, and the name for tokens and links
// if id is "" or AnyToken.
func (k *Catalog) KeyName(id string) string {
	if id == "" || id == AnyToken {
		return tokensText
	}
	one, known := k.key[id]
	if !known {
		return id
	}
	name := cmp.Or(one.GetName(), id)
	for _, other := range k.keys[one.GetAppId()] {
		if other.GetId() != id && other.GetName() == one.GetName() && one.GetHint() != "" {
			name += " …" + one.GetHint()
			break
		}
	}
	return Marked(name, one.GetDeletedAt() != nil)
}

// Marked returns the name with a note if the object was deleted.
func Marked(name string, deleted bool) string {
	if deleted {
		return name + " (deleted)"
	}
	return name
}

// AppOptions returns the options of a filter by app. They always include the selected app.
func (k *Catalog) AppOptions(chosen string) []Option {
	options := []Option{{Text: "All apps"}}
	for _, a := range k.apps {
		options = append(options, Option{Value: a.GetId(), Text: k.AppName(a.GetId())})
	}
	return Choose(options, chosen, k.AppName(chosen))
}

// KeyOptions returns the options of a filter by key. They are the keys of one app or, if app is "",
// of all apps.
func (k *Catalog) KeyOptions(app, chosen string) []OptionGroup {
	groups := []OptionGroup{{Options: []Option{{Text: "All keys"}, {Value: AnyToken, Text: tokensText}}}}
	for _, a := range k.apps {
		if app != "" && a.GetId() != app || len(k.keys[a.GetId()]) == 0 {
			continue
		}
		group := OptionGroup{Label: k.AppName(a.GetId())}
		for _, one := range k.keys[a.GetId()] {
			group.Options = append(group.Options, Option{Value: one.GetId(), Text: k.KeyName(one.GetId())})
		}
		groups = append(groups, group)
	}
	return ChooseAmong(groups, chosen, k.KeyName(chosen))
}

// Names maps member ids to names (behaviour: console#names-of-people).
type Names map[string]string

// Of returns the name of a member, or the id if the person is not a member.
func (n Names) Of(id string) string { return cmp.Or(n[id], id) }

// Names returns the names of the account's members. It calls the auth service only if one of ids
// belongs to a person.
func (s *Shell) Names(ctx context.Context, v Visit, ids ...string) (Names, error) {
	if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, "usr_") }) {
		return Names{}, nil
	}
	listed, err := s.members.ListMembers(ctx, &authv1.ListMembersRequest{AccountId: v.AccountID()})
	return NamesOf(listed.GetMembers()), err
}

// NamesOf returns the names of members by id.
func NamesOf(members []*authv1.AccountMember) Names {
	n := Names{}
	for _, m := range members {
		n[m.GetPersonId()] = NameOf(m)
	}
	return n
}

// NameOf returns the name of a member. Members who have disconnected the console have no name; for
// them, it returns the email address.
func NameOf(m *authv1.AccountMember) string { return cmp.Or(m.GetName(), m.GetEmail()) }
