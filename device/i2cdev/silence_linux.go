package i2cdev

import "syscall"

// silences are the ways in which controllers tell a missing acknowledgement.
var silences = []error{syscall.ENXIO, syscall.EREMOTEIO, syscall.EIO, syscall.ETIMEDOUT, syscall.EAGAIN}
