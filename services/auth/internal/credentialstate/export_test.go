package credentialstate

// AfterRead runs f between the authoritative read and the write of the record.
func (s *Service) AfterRead(f func()) { s.afterRead = f }
