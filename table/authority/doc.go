// Package authority knows who is at the table: which supervisor is proven, by a PIN, by a
// key switch or by both, and which dealer is signed in. It decides in whose name an
// irregularity is put right; the engine decides what may be chosen, and by which role.
//
// It has no clock and does no I/O: the time comes in with each call, what happens goes out
// as a Notice, and what must survive a restart as a State. None of them ever contains a
// PIN.
package authority
