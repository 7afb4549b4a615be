package connection

import "vitae.internal/pkg/id"

// MasterCV is the id of the profile-backed main CV.
const MasterCV = "master"

// ValidCvID reports whether s can name a CV. Whether it is the person's own, the
// candidate service decides: it owns CVs and reads them by person.
func ValidCvID(s string) bool { return s == MasterCV || id.Valid("cv", s) }
