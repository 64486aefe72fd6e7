// Package journaltest makes journals for tests and benchmarks: as a table writes them, and then as somebody would have
// them who changes what was recorded; nights, evenings and a whole month for what keeps them at the pit, and the
// PostgreSQL server of a test's own that may keep them there. Published is a journal as its publisher reads it.
package journaltest
