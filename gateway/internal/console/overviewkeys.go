package console

import (
	"context"
	"slices"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// endingKey is a key that has ended or ends soon.
type endingKey struct {
	keyView
	AppID, AppName string
}

// appKeys are the apps of an account, and the keys of each.
type appKeys struct {
	apps []*authv1.App
	keys [][]*authv1.ApiKey
}

// keysOfApps lists the keys of apps.
func (c *Console) keysOfApps(ctx context.Context, listed []*authv1.ListedApp) (appKeys, error) {
	apps := appsOf(listed)
	keys, err := c.keysOf(ctx, false, apps)
	return appKeys{apps, keys}, err
}

// any reports whether there is a key.
func (k appKeys) any() bool {
	for _, keys := range k.keys {
		if len(keys) > 0 {
			return true
		}
	}
	return false
}

// ending gives the keys that have ended or end soon, those first that end first.
func (k appKeys) ending(now time.Time) (all []endingKey) {
	for i, app := range k.apps {
		for _, key := range k.keys[i] {
			if view := keyViewOf(key, now); view.Over || view.Soon {
				all = append(all, endingKey{view, app.GetId(), app.GetName()})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b endingKey) int { return a.Expires.Compare(b.Expires) })
	return all
}
