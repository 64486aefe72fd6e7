# What U-Boot does at each start, on a Raspberry Pi and in QEMU alike: it takes one of the two
# slots. Which one says a sector of its own on the card, in the form of fw_setenv, with a checksum:
#
#     BOOT_SLOT   the slot that works: a or b
#     BOOT_TRY    the slot that is tried, or nothing
#     BOOT_TRIES  how often it may still be started before the other is taken again
#
# A sector is written only while a slot is tried. So a power cut at any other start changes
# nothing, and a slot that works is never given up because somebody pulled the plug.
setenv slots_at 0x800
setenv BOOT_SLOT
setenv BOOT_TRY
setenv BOOT_TRIES
${devtype} dev ${devnum}
if ${devtype} read ${scriptaddr} ${slots_at} 1 && env import -c ${scriptaddr} 200 BOOT_SLOT BOOT_TRY BOOT_TRIES; then
	echo "slots: ${BOOT_SLOT} works, ${BOOT_TRY} is tried, ${BOOT_TRIES} times more"
else
	echo "THE SECTOR THAT SAYS WHICH SLOT WORKS CANNOT BE READ: slot a is taken"
fi
if test "${BOOT_SLOT}" = "b"; then
	setenv other a
else
	setenv BOOT_SLOT a
	setenv other b
fi

setenv first ${BOOT_SLOT}
if test "${BOOT_TRY}" = "${other}"; then
	setenv second ${BOOT_SLOT}
	if test "${BOOT_TRIES}" = "2"; then
		setenv first ${other}
		setenv BOOT_TRIES 1
	elif test "${BOOT_TRIES}" = "1"; then
		setenv first ${other}
		setenv BOOT_TRIES 0
	else
		echo "slot ${other} DID NOT WORK: slot ${BOOT_SLOT} is taken again"
		setenv BOOT_TRY
		setenv BOOT_TRIES
	fi
	env export -c -s 200 ${scriptaddr} BOOT_SLOT BOOT_TRY BOOT_TRIES
	${devtype} write ${scriptaddr} ${slots_at} 1
else
	setenv second ${other}
fi

# The firmware of a Pi, and QEMU, say what the computer has.
if test -n "${fdt_addr}"; then
	setenv tree ${fdt_addr}
else
	setenv tree ${fdtcontroladdr}
fi
# Where it lies, the slot may be loaded. On a Pi there is a better place; QEMU has none, and needs none.
if test -n "${fdt_addr_r}"; then
	if test "${tree}" != "${fdt_addr_r}"; then
		cp.b ${tree} ${fdt_addr_r} 40000
		setenv tree ${fdt_addr_r}
	fi
fi

# The disk's name is that of the builder's partition table.
for slot in ${first} ${second}; do
	if test "${slot}" = "a"; then setenv part 2; else setenv part 3; fi
	setenv bootargs "root=PARTUUID=5ab07ca4-0${part} ro rootwait fsck.repair=yes panic=10 overlayroot=tmpfs:recurse=0 sabot.slot=${slot} quiet loglevel=4 vt.global_cursor_default=0 console=tty1 ${more}"
	if load ${devtype} ${devnum}:${part} ${kernel_addr_r} /vmlinuz && load ${devtype} ${devnum}:${part} ${ramdisk_addr_r} /initrd.img; then
		echo "slot ${slot} starts"
		booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${tree}
	fi
	echo "SLOT ${slot} DOES NOT START"
done
sleep 10
reset
