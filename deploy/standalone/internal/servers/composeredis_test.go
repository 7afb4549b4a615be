package servers_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/pkg/redisacl"
)

func TestComposeRedisUsersMatchURLs(t *testing.T) {
	secrets := newSecrets(t, "")
	passwords := map[string]string{redisacl.Default: read(t, filepath.Join(secrets, "redis_password"))}
	for _, part := range []string{redisacl.Auth, redisacl.Gateway} {
		u, err := url.Parse(read(t, filepath.Join(secrets, part+"_redis_url")))
		if err != nil {
			t.Fatal(err)
		}
		passwords[part], _ = u.User.Password()
		if u.User.Username() != part || u.Host != "redis:6379" {
			t.Errorf("the URL of %s has the user %s and the host %s", part, u.User.Username(), u.Host)
		}
	}
	want, err := redisacl.File(passwords)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(secrets, "redis_users.acl")); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}
