package device

import "syscall"

// silences are the errors with which controllers report a missing acknowledgement.
var silences = []error{syscall.ENXIO, syscall.EREMOTEIO, syscall.EIO, syscall.ETIMEDOUT, syscall.EAGAIN}
