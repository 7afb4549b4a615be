package company

// Limits, in characters (behaviour: requests#lengths, companies#description).
const (
	maxName          = 200
	maxTagline       = 300
	maxIndustry      = 200
	maxEmployeeCount = 50
	maxLocation      = 300
	minDescription   = 50
	maxDescription   = 20_000
	maxLink          = 2048
	maxExternalID    = 255
)
