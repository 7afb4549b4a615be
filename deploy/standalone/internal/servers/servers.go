package servers

import (
	"context"
	"errors"
	"path/filepath"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/redisacl"
)

// Options names the servers to use, or configures the servers to start.
type Options struct {
	// PostgresURL and RedisURL are the URLs of existing servers. If one is empty, Start starts that server.
	PostgresURL, RedisURL string
	// MigrationURL is a direct URL of the same Postgres. It is needed if PostgresURL points to a pooler. The databases
	// are created and migrated through it.
	MigrationURL string
	// PostgresDir and RedisDir are the data folders of started servers.
	PostgresDir, RedisDir string
	// Passwords contains the password for each service's roles.
	Passwords map[string]string
}

// Servers holds the URLs of the servers, and the servers that Start has started.
type Servers struct {
	// Postgres contains the URLs of each service's database.
	Postgres map[string]URLs
	// Redis contains a URL for each service, with the service's own Redis user. With an existing Redis, all services have
	// the same URL.
	Redis map[string]string
	// RedisAdmin is the operator's URL for a started Redis, or "" for an existing one.
	RedisAdmin string
	// Empty reports whether no database existed before.
	Empty bool

	postgres *backing.Postgres
	redis    *backing.Redis
}

// Start starts the servers that have no URL, and creates missing databases.
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

// Ended returns a channel that receives the name of each started server that exits.
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
