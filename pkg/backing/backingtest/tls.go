package backingtest

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/internal/server"
)

// Certificate holds a certificate and its key, in PEM.
type Certificate struct{ Cert, Key []byte }

// TLSRedis is a running Redis that also accepts TLS connections.
type TLSRedis struct {
	*backing.Redis
	passwords map[string]string
	port      int
}

// StartTLSRedis starts a Redis that serves TLS with the given certificate.
func StartTLSRedis(ctx context.Context, dir string, c *Certificate) (*TLSRedis, error) {
	r := &TLSRedis{passwords: backing.RedisPasswords()}
	home, err := server.MakeHome(dir)
	if err != nil {
		return nil, err
	}
	if r.port, err = server.FreePort(); err != nil {
		return nil, err
	}
	cert, key := filepath.Join(home.Path, "cert.pem"), filepath.Join(home.Path, "key.pem")
	if err := errors.Join(home.Write(cert, c.Cert), home.Write(key, c.Key)); err != nil {
		return nil, err
	}
	r.Redis, err = backing.StartRedis(ctx, backing.RedisOptions{Dir: dir, Passwords: r.passwords, Config: []string{
		"tls-port " + strconv.Itoa(r.port), "tls-auth-clients no",
		"tls-cert-file " + strconv.Quote(cert), "tls-key-file " + strconv.Quote(key), "tls-ca-cert-file " + strconv.Quote(cert),
	}})
	return r, err
}

// TLSURLOf returns the connection string of a user over TLS. host is one of this machine's host
// names.
func (r *TLSRedis) TLSURLOf(user, host string) string {
	return "rediss://" + user + ":" + r.passwords[user] + "@" + host + ":" + strconv.Itoa(r.port) + "/0"
}
