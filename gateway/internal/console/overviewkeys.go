package console

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// endingKey is a key that has ended or ends soon.
type endingKey struct {
	keyView
	AppID, AppName string
}

// appKeys are the keys of apps, by the ids of these.
type appKeys struct {
	apps []*authv1.App
	keys map[string][]*authv1.ApiKey
}

// keysAtOnce bounds how many lists of keys are asked for at a time.
const keysAtOnce = 8

// keysOf lists the keys of apps.
func (c *Console) keysOf(ctx context.Context, apps []*authv1.ListedApp) (appKeys, error) {
	all := appKeys{keys: map[string][]*authv1.ApiKey{}}
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(keysAtOnce)
	for _, listed := range apps {
		app := listed.GetApp()
		all.apps = append(all.apps, app)
		work.Go(func() error {
			found, err := c.developers.ListApiKeys(ctx, &authv1.ListApiKeysRequest{AppId: app.GetId()})
			mu.Lock()
			defer mu.Unlock()
			all.keys[app.GetId()] = found.GetApiKeys()
			return err
		})
	}
	return all, work.Wait()
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
	for _, app := range k.apps {
		for _, key := range k.keys[app.GetId()] {
			if view := keyViewOf(key, now); view.Over || view.Soon {
				all = append(all, endingKey{view, app.GetId(), app.GetName()})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b endingKey) int { return a.Expires.Compare(b.Expires) })
	return all
}
