// Package ratelimit keeps those who are on the network from using a server up: how many connections there are
// (Listener), how often somebody asks (Rate), and how often the same thing is told (Bursts). Each holds a bounded
// amount of memory, whoever calls it and however often.
//
// The table's own screen has connections in reserve that nothing on the network can take.
package ratelimit
