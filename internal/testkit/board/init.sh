#!/bin/busybox sh
# What an emulated board does from its kernel's start on. If anything fails the script
# ends, the kernel with it, and the test shows this console.
set -eu
/bin/busybox mkdir -p /bin /sbin /proc /sys /dev /tmp /run /var/lib/sabot /etc/sabot
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/pts
mount -t devpts none /dev/pts

# In the order in which they need each other.
while read -r module; do
	insmod "$module"
done </etc/modules
[ ! -d /sys/kernel/config ] || mount -t configfs none /sys/kernel/config

# The one network that is not the board's own. On USB it takes a moment to be found.
ip link set lo up
until network=$(ls /sys/class/net | grep -v '^lo$'); do
	sleep 0.1
done
ip address add 10.0.2.15/24 dev "$network"
ip link set "$network" up
ip route add default via 10.0.2.2
exec /bin/agent
