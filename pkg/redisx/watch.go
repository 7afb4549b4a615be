package redisx

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// watch queries Sentinels about the replicas of a master.
type watch struct {
	master    string
	sentinels []*redis.SentinelClient
}

func newWatch(c Config) (*watch, error) {
	d, err := c.dialer()
	if err != nil {
		return nil, err
	}
	o, err := failoverOptions(c.URL)
	if err != nil {
		return nil, err
	}
	w := &watch{master: o.MasterName}
	for _, addr := range o.SentinelAddrs {
		w.sentinels = append(w.sentinels, redis.NewSentinelClient(&redis.Options{
			Addr: addr, Username: o.SentinelUsername, Password: o.SentinelPassword, Dialer: d.dial,
			MaxRetries: -1, DialerRetries: 1, DialTimeout: dialTimeout, ReadTimeout: callTimeout, WriteTimeout: callTimeout,
			ContextTimeoutEnabled: true, DisableIdentity: true, MaintNotificationsConfig: unnotified(),
		}))
	}
	return w, nil
}

// replicas returns the number of replicas known to the first Sentinel that responds. It includes
// disconnected replicas and, after a failover, the old master.
func (w *watch) replicas(ctx context.Context) (int, error) {
	var failed error
	for _, s := range w.sentinels {
		master, err := s.Master(ctx, w.master).Result()
		if err == nil {
			n, err := strconv.Atoi(master["num-slaves"])
			if err == nil {
				return n, nil
			}
		}
		failed = errors.Join(failed, err)
	}
	return 0, fmt.Errorf("redis: no Sentinel reports the number of replicas: %w", failed)
}

func (w *watch) close() (err error) {
	for _, s := range w.sentinels {
		err = errors.Join(err, s.Close())
	}
	return err
}
