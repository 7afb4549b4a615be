package blobs

import (
	"context"
	"errors"
	"net/url"

	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/fileblob"

	"vitae.internal/pkg/keyring"
)

// signer signs URLs with the first key in a ring, and accepts signatures made with any of the keys.
// It uses the format of fileblob, in which the signed text starts with "contentType=" or "expiry=",
// so it cannot be confused with any purpose of keyring.MAC.
type signer struct{ keys []signingKey }

type signingKey struct {
	fileblob.URLSigner
	used func()
}

var errNotSigned = errors.New("blobs: the URL was not signed with a key of the ring, or it has expired")

func newSigner(base *url.URL, ring keyring.Ring) signer {
	var s signer
	for secret, used := range ring.Secrets {
		s.keys = append(s.keys, signingKey{fileblob.NewURLSignerHMAC(base, secret), used})
	}
	return s
}

func (s signer) URLFromKey(ctx context.Context, key string, o *driver.SignedURLOptions) (*url.URL, error) {
	return s.keys[0].URLFromKey(ctx, key, o)
}

// KeyFromURL takes the same time regardless of which key has signed the URL.
func (s signer) KeyFromURL(ctx context.Context, address *url.URL) (string, error) {
	object, by := "", -1
	for i, k := range s.keys {
		if got, err := k.KeyFromURL(ctx, address); err == nil {
			object, by = got, i
		}
	}
	if by < 0 {
		return "", errNotSigned
	}
	s.keys[by].used()
	return object, nil
}
