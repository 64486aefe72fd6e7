// Package people says who may enter the pit, and what each may do: people by name and role,
// their passwords, their sessions, and the log of everything that they did.
//
// What holds is what the store holds: each question is answered from there, so that a person
// who is removed, by this program or by a command that runs at the same time, is out at once.
package people
