// Package photo serves photos of people at signed URLs (behaviour: photos#the-address-of-a-photo). The auth
// service reports whether a consent still shares the photo. The candidate service stores the photo or its URL,
// and the cvrender service fetches photos from other sites.
//
// The package must never redirect, and never reveal why a URL is invalid.
package photo

import (
	"context"
	"errors"
	"net/http"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// maxPhoto limits the memory of a response, in bytes. Photos are smaller than 100 KiB.
const maxPhoto = 1 << 20

// Handler serves photos.
type Handler struct {
	Signer      *signedurl.Signer
	Credentials authv1.CredentialServiceClient
	Photos      candidatev1.PhotoServiceClient
	// Fetcher fetches photos from other sites.
	Fetcher cvrenderv1.CvRenderServiceClient
	Clock   clock.Clock
}

// ServeHTTP serves the photo to anyone who has the URL, so search engines must not list it. Clients must
// revalidate a stored photo, so that it disappears when the permission ends.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	jpeg, err := h.open(r)
	if err != nil {
		chain.Fail(w, r, notFound(err))
		return
	}
	answer.WritePrivate(w, r, "image/jpeg", jpeg)
}

var (
	errBadAddress = errors.New("the token of the photo is forged or has expired")
	errUnexpected = errors.New("photo: candidate or cvrender returned no photo, or one that is too large")
)

// open returns the photo for the token in the path. It verifies the token before any look-up.
func (h Handler) open(r *http.Request) ([]byte, error) {
	content, ok := h.Signer.VerifyPhoto(r.PathValue("token"), h.Clock.Now())
	if !ok {
		return nil, errBadAddress
	}
	personID := content.PersonID
	if content.ConnectionID != "" {
		shown, err := h.Credentials.ResolvePhotoAddress(r.Context(), &authv1.ResolvePhotoAddressRequest{
			ConnectionId: content.ConnectionID, Version: content.Version,
		})
		if err != nil {
			return nil, err
		}
		personID = shown.GetPersonId()
		chain.ExchangeOf(r.Context()).Caller = chain.Caller{
			AccountID: shown.GetAccountId(), AppID: shown.GetAppId(), ConnectionID: content.ConnectionID,
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

// notFound replaces every error about an invalid URL with the same error. It returns other errors, such as an
// outage, unchanged.
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
