package servers

import (
	"context"
	"errors"
	"path/filepath"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/redisacl"
)

// Options say what to use or to start.
type Options struct {
	// PostgresURL and RedisURL name servers that run already; empty starts one.
	PostgresURL, RedisURL string
	// MigrationURL leads to the same Postgres, where PostgresURL leads to a pooler. The
	// databases are made, and will be migrated, by this way. Empty for the same way.
	MigrationURL string
	// PostgresDir and RedisDir hold the data of servers that Start starts.
	PostgresDir, RedisDir string
	// Passwords has the password of each service's roles; its keys are the services.
	Passwords map[string]string
}

// Servers are ready to use.
type Servers struct {
	// Postgres has the URLs of each service's own database.
	Postgres map[string]URLs
	// Redis are the URLs of Redis by part, each with the part's own user. A Redis that runs
	// already has one URL for all of them.
	Redis map[string]string
	// RedisAdmin is the operator's URL of the Redis that Start has started, empty without.
	RedisAdmin string
	// Empty says that no service's database was there before.
	Empty bool

	postgres *backing.Postgres
	redis    *backing.Redis
}

// Start starts what is to be started and makes the databases that are missing.
func Start(ctx context.Context, o Options) (_ *Servers, err error) {
	s := &Servers{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	service, admin := o.PostgresURL, o.MigrationURL
	if admin == "" {
		admin = service
	}
	if service == "" {
		if s.postgres, err = backing.StartPostgres(ctx, backing.PostgresOptions{Dir: filepath.Clean(o.PostgresDir)}); err != nil {
			return nil, err
		}
		service = s.postgres.URL("postgres")
		admin = service
	}
	if s.Postgres, s.Empty, err = provide(ctx, service, admin, o.Passwords, s.postgres != nil); err != nil {
		return nil, err
	}
	s.Redis = map[string]string{redisacl.Auth: o.RedisURL, redisacl.Gateway: o.RedisURL}
	if o.RedisURL != "" {
		return s, nil
	}
	if s.redis, err = backing.StartRedis(ctx, backing.RedisOptions{Dir: filepath.Clean(o.RedisDir), Persist: true}); err != nil {
		return nil, err
	}
	s.RedisAdmin = s.redis.URL()
	for part := range s.Redis {
		s.Redis[part] = s.redis.URLOf(part)
	}
	return s, nil
}

// Ended sends the name of a server that Start has started and that ends by itself.
func (s *Servers) Ended() <-chan string {
	ended := make(chan string, 2)
	if s.postgres != nil {
		go func() { <-s.postgres.Done(); ended <- "postgres" }()
	}
	if s.redis != nil {
		go func() { <-s.redis.Done(); ended <- "redis" }()
	}
	return ended
}

// Stop ends what Start started.
func (s *Servers) Stop() error {
	var faults []error
	if s.redis != nil {
		faults = append(faults, s.redis.Stop(context.Background()))
	}
	if s.postgres != nil {
		faults = append(faults, s.postgres.Stop(context.Background()))
	}
	return errors.Join(faults...)
}
