package pages

import (
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/picture"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// maxPhotoFile is the largest file of a photo in bytes (behaviour: photos#image-format).
	maxPhotoFile = 10 << 20
	// maxPhotoForm leaves room for what stands around the file.
	maxPhotoForm = maxPhotoFile + 16<<10
	// maxInline is the largest file that candidate takes, in bytes. A larger one is scaled down here.
	maxInline = 512 << 10
	// photoMemory is what the photos that are scaled down at a time may take, in bytes: one of 48
	// megapixels or two of 24, next to the requests and pages that the gateway holds.
	photoMemory = 128 << 20
)

// photoView is the own part of the page of one's own photo.
type photoView struct {
	Name  string
	Photo template.URL
}

// showPhoto shows the photo, and the forms that replace and remove it.
func (p editorPages) showPhoto(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	notice, err := p.site.TakeNotice(w, r, "title")
	if err != nil {
		return err
	}
	return p.drawPhoto(w, r, http.StatusOK, who, web.View{Notice: notice})
}

func (p editorPages) drawPhoto(w http.ResponseWriter, r *http.Request, status int, who shell.Person, v web.View) error {
	e, err := p.read(r, who, shell.MainCV)
	if err != nil {
		return err
	}
	photo, origin := public.PhotoOf(e.doc.Profile.GetAvatarUrl())
	v.Data = photoView{Name: e.doc.Profile.GetName(), Photo: photo}
	w.Header().Set(web.PolicyHeader, web.Policy{Images: origin, Scripts: true}.String())
	return p.page(w, r, status, who, "ownphoto", "ownphoto.title", v)
}

// replacePhoto takes a picture, or removes the photo. It changes nothing else, so it needs
// no version.
func (p editorPages) replacePhoto(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	end, ok := p.turns.begin(who.GetId())
	if !ok {
		w.Header().Set("Retry-After", strconv.Itoa(fileRetry))
		return p.refusePhoto(w, r, http.StatusTooManyRequests, who, fileOfOwn)
	}
	defer end()
	file, err := web.Upload(r, "photo")
	if err != nil {
		return err
	}
	address, notice := "", "notice.photo_removed"
	if r.PostForm.Get("do") != "remove" {
		if len(file) == 0 {
			return p.refusePhoto(w, r, http.StatusUnprocessableEntity, who, "editor.fault.photo_none")
		}
		if len(file) > maxInline {
			r.MultipartForm = nil // it has the file too
			file, err = p.pictures.JPEG(r.Context(), file)
			if r.Context().Err() != nil {
				err = errs.New(errs.Unavailable, errs.CodeUnavailable, "The request ended before the photo was read.").WithCause(err)
			}
		}
		if errs.HasCode(err, picture.ErrUnreadable.Code) {
			return p.refusePhoto(w, r, http.StatusUnprocessableEntity, who, "editor.fault.photo")
		}
		if err != nil {
			return err
		}
		address, notice = "data:"+pictureType(file)+";base64,"+base64.StdEncoding.EncodeToString(file), "notice.photo_saved"
	}
	_, err = p.editor.SaveOwnProfile(r.Context(), &candidatev1.SaveOwnProfileRequest{
		SessionToken: who.Token, Profile: &candidatev1.Profile{AvatarUrl: address}, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"avatar_url"}},
	})
	if errs.KindOf(err) == errs.Invalid {
		return p.refusePhoto(w, r, http.StatusUnprocessableEntity, who, "editor.fault.photo")
	}
	if err != nil {
		return profileFailure(err)
	}
	p.site.Notify(w, notice, "")
	web.SeeOther(w, shell.ProfilePath+"/photo")
	return nil
}

// refuseLargePhoto shows the form again when it was sent with a file that is too large.
func (p editorPages) refuseLargePhoto(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.refusePhoto(w, r, http.StatusRequestEntityTooLarge, who, "editor.fault.photo_large")
}

func (p editorPages) refusePhoto(w http.ResponseWriter, r *http.Request, status int, who shell.Person, key string) error {
	fault, err := p.site.Fault(r, "photo", key)
	if err != nil {
		return err
	}
	return p.drawPhoto(w, r, status, who, web.View{Faults: []web.Fault{fault}})
}

// pictureType is the type of a picture by its content; candidate refuses what is none.
func pictureType(file []byte) string {
	switch found := http.DetectContentType(file); found {
	case "image/png", "image/webp", "image/gif":
		return found
	default:
		return "image/jpeg"
	}
}
