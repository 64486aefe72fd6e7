// Package authority knows who stands at the table: which supervisor is proven, by a
// PIN, by a key switch or by both, and which dealer is signed in. It says in whose
// name an irregularity is put right; what may be chosen, and by which role, is the
// engine's matter.
//
// It has no clock and does no I/O: the time comes in with each call, what happens
// goes out as a Notice, and what must survive a restart as a State. No PIN is ever
// in any of them.
package authority
