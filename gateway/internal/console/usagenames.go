package console

import (
	"context"
	"slices"
	"strings"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// tokensText is what the requests of tokens and links are called together.
const tokensText = "Tokens and links"

// usageNames are the apps and keys of an account, those included that were deleted in or after the
// period that is looked at. What usage tells of has no other names.
type usageNames struct {
	apps []*authv1.App // by name
	// keys are those of each app, newest first.
	keys  map[string][]*authv1.ApiKey
	app   map[string]*authv1.App
	byKey map[string]*authv1.ApiKey
}

// readNames reads the names that a page from the given day on may need: of all apps, or of one
// and its keys.
func (c *Console) readNames(ctx context.Context, account string, from time.Time, app string) (*usageNames, error) {
	found, err := c.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: account, IncludeDeleted: true})
	if err != nil {
		return nil, err
	}
	n := &usageNames{keys: map[string][]*authv1.ApiKey{}, app: map[string]*authv1.App{}, byKey: map[string]*authv1.ApiKey{}}
	for _, listed := range found.GetApps() {
		if a := listed.GetApp(); a.GetDeletedAt() == nil || !a.GetDeletedAt().AsTime().Before(from) {
			n.apps = append(n.apps, a)
			n.app[a.GetId()] = a
		}
	}
	slices.SortStableFunc(n.apps, func(a, b *authv1.App) int {
		return strings.Compare(strings.ToLower(a.GetName()), strings.ToLower(b.GetName()))
	})
	asked := slices.DeleteFunc(slices.Clone(n.apps), func(a *authv1.App) bool { return app != "" && a.GetId() != app })
	lists, err := c.keysOf(ctx, true, asked)
	if err != nil {
		return nil, err
	}
	for i, a := range asked {
		for _, k := range lists[i] {
			if k.GetDeletedAt() == nil || !k.GetDeletedAt().AsTime().Before(from) {
				n.keys[a.GetId()] = append(n.keys[a.GetId()], k)
				n.byKey[k.GetId()] = k
			}
		}
	}
	return n, nil
}

// appName is the name of an app, or its id if it has none.
func (n *usageNames) appName(id string) string {
	a, known := n.app[id]
	switch {
	case !known:
		return id
	case a.GetDeletedAt() != nil:
		return a.GetName() + " (deleted)"
	}
	return a.GetName()
}

// keyName is the name of a key, with the end of its secret if another key of its app has the
// same name; its id if it has none. The empty id stands for tokens and links.
func (n *usageNames) keyName(id string) string {
	if id == "" || id == anyToken {
		return tokensText
	}
	k, known := n.byKey[id]
	if !known {
		return id
	}
	name := k.GetName()
	if name == "" {
		name = id
	}
	for _, other := range n.keys[k.GetAppId()] {
		if other.GetId() != id && other.GetName() == k.GetName() && k.GetHint() != "" {
			name += " …" + k.GetHint()
			break
		}
	}
	if k.GetDeletedAt() != nil {
		name += " (deleted)"
	}
	return name
}

// appOf is the app of a key, "" for an unknown one.
func (n *usageNames) appOf(key string) string { return n.byKey[key].GetAppId() }

// appOptions are the choices of an app.
func (n *usageNames) appOptions(chosen string) []option {
	out := []option{{"", "All apps", chosen == ""}}
	for _, a := range n.apps {
		out = append(out, option{a.GetId(), n.appName(a.GetId()), a.GetId() == chosen})
	}
	if _, known := n.app[chosen]; chosen != "" && !known {
		out = append(out, option{chosen, chosen, true})
	}
	return out
}

// keyOptions are the choices of a key: those of the chosen app, or of all under the names of
// their apps.
func (n *usageNames) keyOptions(app, chosen string) []optionGroup {
	out := []optionGroup{{Options: []option{{"", "All keys", chosen == ""}, {anyToken, tokensText, chosen == anyToken}}}}
	for _, a := range n.apps {
		if app != "" && a.GetId() != app || len(n.keys[a.GetId()]) == 0 {
			continue
		}
		group := optionGroup{Label: n.appName(a.GetId())}
		for _, k := range n.keys[a.GetId()] {
			group.Options = append(group.Options, option{k.GetId(), n.keyName(k.GetId()), k.GetId() == chosen})
		}
		out = append(out, group)
	}
	if _, known := n.byKey[chosen]; chosen != "" && chosen != anyToken && !known {
		out[0].Options = append(out[0].Options, option{chosen, chosen, true})
	}
	return out
}
