package redisacl

import (
	"crypto/sha256"
	_ "embed" // users.acl
	"encoding/hex"
	"fmt"
	"strings"
)

//go:embed users.acl
var template string

// Users of the parts. Default is the operator's, who may do everything.
const (
	Default = "default"
	Auth    = "auth"
	Gateway = "gateway"
)

// Users are all users of the file, in its order.
func Users() []string { return []string{Default, Auth, Gateway} }

// File is the ACL file with the passwords of all Users.
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
