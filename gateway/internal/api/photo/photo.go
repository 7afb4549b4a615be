// Package photo serves photos of people at signed addresses
// (behaviour: photos#the-address-of-a-photo). auth says whether a consent still shares
// the photo, candidate has it or knows where it lies, and cvrender fetches what lies
// elsewhere.
//
// It must never redirect, and never tell why an address opens nothing.
package photo

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

const (
	contentType = "image/jpeg"
	// maxPhoto bounds the memory of one answer, in bytes. Photos are below 100 KiB.
	maxPhoto = 1 << 20
)

// Handler serves photos.
type Handler struct {
	// Signer checks addresses.
	Signer *signedurl.Signer
	// Credentials tells what a consent shares now.
	Credentials authv1.CredentialServiceClient
	// Photos has the photos.
	Photos candidatev1.PhotoServiceClient
	// Fetcher fetches pictures that lie elsewhere.
	Fetcher cvrenderv1.CvRenderServiceClient
	// Clock tells when an address has expired.
	Clock clock.Clock
}

// ServeHTTP implements http.Handler. Whoever has the address sees the photo, so the
// address must not be listed by search engines.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	jpeg, err := h.open(r)
	if err != nil {
		chain.Fail(w, r, notFound(err))
		return
	}
	sum := sha256.Sum256(jpeg)
	tag := base64.RawURLEncoding.EncodeToString(sum[:])
	header := w.Header()
	header.Set("ETag", `"`+tag+`"`)
	// Not kept without asking, so that a photo is gone with the permission.
	header.Set("Cache-Control", "private, no-cache")
	if answer.ParseIfNoneMatch(r.Header.Values("If-None-Match")).Match(tag) {
		answer.NotModified(w)
		return
	}
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(jpeg)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(jpeg) // an error means that the client has gone
}

var (
	errBadAddress = errors.New("the token of the photo is not one of ours, or has expired")
	errUnexpected = errors.New("photo: candidate or cvrender gave no photo, or one that is too large")
)

// open returns the photo that the token in the path opens. It checks the signature before
// any look-up.
func (h Handler) open(r *http.Request) ([]byte, error) {
	said, ok := h.Signer.VerifyPhoto(r.PathValue("token"), h.Clock.Now())
	if !ok {
		return nil, errBadAddress
	}
	personID := said.PersonID
	if said.ConnectionID != "" {
		shown, err := h.Credentials.ResolvePhotoAddress(r.Context(), &authv1.ResolvePhotoAddressRequest{
			ConnectionId: said.ConnectionID, Version: said.Version,
		})
		if err != nil {
			return nil, err
		}
		personID = shown.GetPersonId()
		chain.ExchangeOf(r.Context()).Caller = chain.Caller{
			AccountID: shown.GetAccountId(), AppID: shown.GetAppId(), ConnectionID: said.ConnectionID,
		}
	}
	return h.read(r.Context(), personID)
}

// read returns the photo of a person as a JPEG.
func (h Handler) read(ctx context.Context, personID string) ([]byte, error) {
	found, err := h.Photos.GetPhoto(ctx, &candidatev1.GetPhotoRequest{PersonId: personID})
	if err != nil {
		return nil, err
	}
	jpeg := found.GetJpeg()
	if address := found.GetAddress(); address != "" {
		fetched, err := h.Fetcher.FetchPhoto(ctx, &cvrenderv1.FetchPhotoRequest{Address: address, Share: personID})
		if err != nil {
			return nil, err
		}
		jpeg = fetched.GetJpeg()
	}
	if len(jpeg) == 0 || len(jpeg) > maxPhoto {
		return nil, errUnexpected
	}
	return jpeg, nil
}

// notFound replaces every error that means "this address opens nothing" by one error. A
// part that is down is not such an error.
func notFound(err error) error {
	switch errs.KindOf(err) {
	case errs.NotFound, errs.Invalid:
	default:
		if !errors.Is(err, errBadAddress) {
			return err
		}
	}
	return errs.New(errs.NotFound, answer.CodePhotoNotFound, "This photo does not exist or is no longer shared.").WithCause(err)
}
