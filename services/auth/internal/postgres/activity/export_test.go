package activity

// ScanAtMost limits how many log entries the search for a page reads.
func (s *Usage) ScanAtMost(first, most int) { s.scan = scanLimits{first, most} }
