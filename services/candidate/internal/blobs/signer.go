package blobs

import (
	"context"
	"errors"
	"net/url"

	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/fileblob"

	"vitae.internal/pkg/keyring"
)

// signer signs addresses with the first key of a ring, and takes those that any key of it
// has signed. Their form is fileblob's, whose signed text begins with "contentType=" or
// "expiry=", and so with the purpose of no keyring.MAC.
type signer struct{ keys []signingKey }

type signingKey struct {
	fileblob.URLSigner
	used func()
}

var errNotSigned = errors.New("blobs: no key of the ring has signed the address, or it has expired")

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

// KeyFromURL implements fileblob.URLSigner. It takes the same time whichever key has
// signed the address.
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
