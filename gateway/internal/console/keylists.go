package console

import (
	"context"

	"golang.org/x/sync/errgroup"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// listsAtOnce bounds how many lists of keys the console asks for at a time.
const listsAtOnce = 8

// keysOf lists the keys of apps, in the order of the apps; deleted ones too, if they are
// wanted.
func (c *Console) keysOf(ctx context.Context, deleted bool, apps []*authv1.App) ([][]*authv1.ApiKey, error) {
	keys := make([][]*authv1.ApiKey, len(apps))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(listsAtOnce)
	for i, app := range apps {
		work.Go(func() error {
			found, err := c.developers.ListApiKeys(ctx, &authv1.ListApiKeysRequest{AppId: app.GetId(), IncludeDeleted: deleted})
			keys[i] = found.GetApiKeys()
			return err
		})
	}
	return keys, work.Wait()
}

// appsOf gives the apps of a list, without its deleted ones.
func appsOf(listed []*authv1.ListedApp) (apps []*authv1.App) {
	for _, l := range listed {
		if l.GetState() != authv1.AppState_APP_STATE_DELETED {
			apps = append(apps, l.GetApp())
		}
	}
	return apps
}
