package console

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// anyToken asks for the requests of tokens and links, in place of the id of a key.
const anyToken = "token"

// tokensText is what the requests of tokens and links are called together.
const tokensText = "Tokens and links"

// catalog is the apps and keys of an account. Usage, requests and the audit log have ids of
// them: it gives their names, and the choices of the forms above. What was deleted keeps its
// name (behaviour: console#names-of-apps-and-keys).
type catalog struct {
	// apps are those that a form offers, by name.
	apps []*authv1.App
	// keys are those that a form offers of each app, newest first.
	keys map[string][]*authv1.ApiKey
	// app and key are all that were read, by their ids.
	app map[string]*authv1.App
	key map[string]*authv1.ApiKey
}

// readApps reads the apps of an account. Those that were deleted before since are not
// offered: nothing of them is in what the page shows.
func (c *Console) readApps(ctx context.Context, account string, since time.Time) (*catalog, error) {
	found, err := c.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: account, IncludeDeleted: true})
	if err != nil {
		return nil, err
	}
	k := &catalog{keys: map[string][]*authv1.ApiKey{}, app: map[string]*authv1.App{}, key: map[string]*authv1.ApiKey{}}
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

// readCatalog reads the apps, and the keys of those that are offered: of all, or of one.
func (c *Console) readCatalog(ctx context.Context, account string, since time.Time, app string) (*catalog, error) {
	k, err := c.readApps(ctx, account, since)
	if err != nil {
		return nil, err
	}
	asked := slices.DeleteFunc(slices.Clone(k.apps), func(a *authv1.App) bool { return app != "" && a.GetId() != app })
	lists, err := c.keysOf(ctx, true, asked)
	if err != nil {
		return nil, err
	}
	for i, a := range asked {
		for _, one := range lists[i] {
			k.key[one.GetId()] = one
			if one.GetDeletedAt() == nil || !one.GetDeletedAt().AsTime().Before(since) {
				k.keys[a.GetId()] = append(k.keys[a.GetId()], one)
			}
		}
	}
	return k, nil
}

// lives reports whether an app has a page: it is known and was not deleted.
func (k *catalog) lives(app string) bool {
	return k.app[app] != nil && k.app[app].GetDeletedAt() == nil
}

// onlyApp is the id of the one app that lives; empty if there are none or several.
func (k *catalog) onlyApp() (only string) {
	for id := range k.app {
		if k.lives(id) && only != "" {
			return ""
		}
		if k.lives(id) {
			only = id
		}
	}
	return only
}

// appName is what a page calls an app: its name, with the end of its id if another app has the
// same name; its id if it has none.
func (k *catalog) appName(id string) string {
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
	return marked(name, a.GetDeletedAt() != nil)
}

// idEnd is how many characters of the end of an id tell two apps of one name apart.
const idEnd = 4

// keyName is what a page calls a key: its name, with the end of its secret if another key of
// its app has the same name; its id if it has none. The empty id stands for tokens and links.
func (k *catalog) keyName(id string) string {
	if id == "" || id == anyToken {
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
	return marked(name, one.GetDeletedAt() != nil)
}

// marked is a name that says of what was deleted that it was.
func marked(name string, deleted bool) string {
	if deleted {
		return name + " (deleted)"
	}
	return name
}

// appOf is the app of a key, "" for an unknown one.
func (k *catalog) appOf(key string) string { return k.key[key].GetAppId() }

// appOptions are the choices of an app. A chosen one is among them whatever has become of it.
func (k *catalog) appOptions(chosen string) []option {
	options := []option{{Text: "All apps"}}
	for _, a := range k.apps {
		options = append(options, option{Value: a.GetId(), Text: k.appName(a.GetId())})
	}
	return choose(options, chosen, k.appName(chosen))
}

// keyOptions are the choices of a key: those of the chosen app, or of all under the names of
// their apps.
func (k *catalog) keyOptions(app, chosen string) []optionGroup {
	groups := []optionGroup{{Options: []option{{Text: "All keys"}, {Value: anyToken, Text: tokensText}}}}
	for _, a := range k.apps {
		if app != "" && a.GetId() != app || len(k.keys[a.GetId()]) == 0 {
			continue
		}
		group := optionGroup{Label: k.appName(a.GetId())}
		for _, one := range k.keys[a.GetId()] {
			group.Options = append(group.Options, option{Value: one.GetId(), Text: k.keyName(one.GetId())})
		}
		groups = append(groups, group)
	}
	return chooseAmong(groups, chosen, k.keyName(chosen))
}

// choose marks the entry with a value, which is added with a text if there is none.
func choose(options []option, value, text string) []option {
	i := slices.IndexFunc(options, func(o option) bool { return o.Value == value })
	if i < 0 {
		return append(options, option{Value: value, Text: text, Chosen: true})
	}
	options[i].Chosen = true
	return options
}

// chooseAmong is choose in groups. What is missing is added to the first.
func chooseAmong(groups []optionGroup, value, text string) []optionGroup {
	for _, g := range groups {
		if slices.ContainsFunc(g.Options, func(o option) bool { return o.Value == value }) {
			choose(g.Options, value, text)
			return groups
		}
	}
	groups[0].Options = choose(groups[0].Options, value, text)
	return groups
}
