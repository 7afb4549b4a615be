package redisacl

import (
	"crypto/sha256"
	_ "embed" // for users.acl
	"encoding/hex"
	"fmt"
	"strings"
)

//go:embed users.acl
var template string

// Names of the users. Default is the operators' user and has all permissions.
const (
	Default = "default"
	Auth    = "auth"
	Gateway = "gateway"
)

// Users returns all users in the order of the ACL file.
func Users() []string { return []string{Default, Auth, Gateway} }

// File returns the ACL file with the hashed passwords of all Users.
func File(passwords map[string]string) (string, error) {
	out := template
	for _, user := range Users() {
		password := passwords[user]
		if password == "" {
			return "", fmt.Errorf("redisacl: the user %s has no password", user)
		}
		sum := sha256.Sum256([]byte(password))
		out = strings.Replace(out, "#"+strings.ToUpper(user)+" ", "#"+hex.EncodeToString(sum[:])+" ", 1)
	}
	return out, nil
}
