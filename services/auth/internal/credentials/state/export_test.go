package state

// AfterRead makes s call f between the read from Postgres and the write of the record.
func (s *Service) AfterRead(f func()) { s.afterRead = f }
