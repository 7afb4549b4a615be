package servers

import (
	"context"
	"errors"
	"path/filepath"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/redisacl"
)

// Options describe the servers to use or to start.
type Options struct {
	// PostgresURL and RedisURL are existing servers; empty starts one.
	PostgresURL, RedisURL string
	// MigrationURL is the same Postgres if PostgresURL is a pooler. The databases are created and
	// migrated through it.
	MigrationURL string
	// PostgresDir and RedisDir contain the data of started servers.
	PostgresDir, RedisDir string
	// Passwords contains the password of each service's roles.
	Passwords map[string]string
}

type Servers struct {
	// Postgres contains the URLs of each service's database.
	Postgres map[string]URLs
	// Redis contains the URL of each service with its own user. An existing Redis has one URL for
	// all.
	Redis map[string]string
	// RedisAdmin is the operator's URL of a started Redis.
	RedisAdmin string
	// Empty is true if no database existed.
	Empty bool

	postgres *backing.Postgres
	redis    *backing.Redis
}

// Start starts servers and creates missing databases.
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

// Ended sends the name of a started server that ends unexpectedly.
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

// Stop stops the started servers.
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
