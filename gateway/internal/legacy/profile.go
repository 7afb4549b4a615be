package legacy

import (
	"errors"
	"log/slog"
	"net/http"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/answer"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// profile is the data of a profile response (behaviour: legacy#legacy-profile). Empty fields are omitted.
type profile struct {
	Name           *string         `json:"name,omitempty"`
	Email          *string         `json:"email,omitempty"`
	PhoneNumber    *string         `json:"phoneNumber,omitempty"`
	Location       *string         `json:"location,omitempty"`
	Headline       *string         `json:"headline,omitempty"`
	CVURL          *string         `json:"cvUrl,omitempty"`
	ProfilePicture *string         `json:"profilePicture,omitempty"`
	Skills         []string        `json:"skills,omitempty"`
	Experience     []experience    `json:"experience,omitempty"`
	Education      []education     `json:"education,omitempty"`
	Certifications []certification `json:"certifications,omitempty"`
	Languages      []string        `json:"languages,omitempty"`
	SocialLinks    *socialLinks    `json:"socialLinks,omitempty"`
}

type experience struct {
	Title       string  `json:"title"`
	Company     string  `json:"company"`
	Location    *string `json:"location,omitempty"`
	StartDate   *string `json:"startDate,omitempty"`
	EndDate     *string `json:"endDate,omitempty"`
	Current     bool    `json:"current"`
	Description *string `json:"description,omitempty"`
}

type education struct {
	Degree         *string `json:"degree,omitempty"`
	Institution    string  `json:"institution"`
	GraduationYear *int32  `json:"graduationYear,omitempty"`
	Field          *string `json:"field,omitempty"`
}

type certification struct {
	Name   string `json:"name"`
	Issuer string `json:"issuer"`
	Year   *int32 `json:"year,omitempty"`
}

type socialLinks struct {
	LinkedIn  *string `json:"linkedin,omitempty"`
	GitHub    *string `json:"github,omitempty"`
	Portfolio *string `json:"portfolio,omitempty"`
}

func (s *server) profile(w http.ResponseWriter, r *http.Request) error {
	resp, err := s.profiles.GetLegacyProfile(r.Context(), &candidatev1.GetLegacyProfileRequest{})
	if err != nil {
		return err
	}
	succeed(w, fromProfile(resp.GetProfile()))
	return nil
}

func fromProfile(p *candidatev1.LegacyProfile) profile {
	out := profile{
		Name: p.Name, Email: p.Email, PhoneNumber: p.PhoneNumber, Location: p.Location, Headline: p.Headline,
		CVURL: p.CvUrl, ProfilePicture: p.ProfilePicture, Skills: p.GetSkills(), Languages: p.GetLanguages(),
	}
	for _, e := range p.GetExperience() {
		out.Experience = append(out.Experience, experience{
			Title: e.GetTitle(), Company: e.GetCompany(), Location: e.Location,
			StartDate: e.StartDate, EndDate: e.EndDate, Current: e.GetCurrent(), Description: e.Description,
		})
	}
	for _, e := range p.GetEducation() {
		out.Education = append(out.Education, education{
			Degree: e.Degree, Institution: e.GetInstitution(), GraduationYear: e.GraduationYear, Field: e.Field,
		})
	}
	for _, c := range p.GetCertifications() {
		out.Certifications = append(out.Certifications, certification{Name: c.GetName(), Issuer: c.GetIssuer(), Year: c.Year})
	}
	if s := p.GetSocialLinks(); s != nil {
		out.SocialLinks = &socialLinks{LinkedIn: s.Linkedin, GitHub: s.Github, Portfolio: s.Portfolio}
	}
	return out
}

// NewShown returns the handler of GET /api/oauth/profile without authentication, for the page that shows people
// what an app receives (behaviour: pages#what-an-app-receives). The caller must put a verified principal into
// the request's context.
func NewShown(candidate grpc.ClientConnInterface, log *slog.Logger) (http.Handler, error) {
	if candidate == nil || log == nil {
		return nil, errors.New("legacy: the connection to candidate and a log are required")
	}
	s := &server{failures: failures{answer.Errors{Log: log}}, profiles: candidatev1.NewLegacyProfileServiceClient(candidate)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.profile(w, r); err != nil {
			s.failures.write(w, r, err)
		}
	}), nil
}
