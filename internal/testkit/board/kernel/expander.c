// SPDX-License-Identifier: GPL-2.0-only
/*
 * An MCP23017 on an I2C bus of its own, after Microchip's data sheet DS20001952C, as far as the kernel's driver uses it:
 * 16 lines, with an interrupt when one changes. A test moves its pins, reads their levels, and takes its power away, with
 * which it forgets everything.
 *
 *	/sys/module/expander_all/parameters/pins	what is outside of the lines that are inputs, 0xffff for open contacts
 *	/sys/module/expander_all/parameters/levels	the levels of all lines
 *	/sys/module/expander_all/parameters/power	N: nothing answers
 */
#include <linux/i2c.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/property.h>

/* The bus, and the expander's address on it: the device is 9-0020. */
#define BUS 9
#define ADDRESS 0x20

/* The registers, of 16 bits each, with IOCON.BANK = 0. */
enum { IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT, REGISTERS };

static DEFINE_MUTEX(lock);
static u16 reg[REGISTERS];
static u16 pins = 0xffff;
static u16 seen; /* the levels when they were last read */
static bool power = true;
static int irq;
static struct i2c_client *client;

static void reset(void)
{
	memset(reg, 0, sizeof(reg));
	reg[IODIR] = 0xffff;
	seen = pins;
}

static u16 levels(void)
{
	return power ? (pins & reg[IODIR]) | (reg[OLAT] & ~reg[IODIR]) : 0;
}

/* A change of a line that interrupts is kept until it is read. */
static bool changed(void)
{
	u16 now = levels(), which = (now ^ seen) & reg[GPINTEN];

	if (!power || !which || reg[INTF])
		return false;
	reg[INTF] = which;
	reg[INTCAP] = now;
	return true;
}

static u16 take(u8 number)
{
	u16 value = number == GPIO ? levels() : reg[number];

	if (number == GPIO || number == INTCAP) {
		reg[INTF] = 0;
		seen = number == GPIO ? value : reg[INTCAP];
	}
	return value;
}

static void put(u8 number, u16 value)
{
	if (number == GPIO)
		number = OLAT;
	if (number != INTF && number != INTCAP)
		reg[number] = value;
}

static s32 transfer(struct i2c_adapter *bus, u16 address, unsigned short flags, char read, u8 command, int size,
		    union i2c_smbus_data *data)
{
	s32 status = 0;
	bool fire;

	mutex_lock(&lock);
	if (!power || address != ADDRESS)
		status = -EREMOTEIO;
	else if (size == I2C_SMBUS_WORD_DATA && command / 2 < REGISTERS && command % 2 == 0) {
		if (read == I2C_SMBUS_READ)
			data->word = take(command / 2);
		else
			put(command / 2, data->word);
	} else if (size != I2C_SMBUS_QUICK)
		status = -EOPNOTSUPP;
	fire = changed();
	mutex_unlock(&lock);
	if (fire)
		generic_handle_irq_safe(irq);
	return status;
}

static u32 functions(struct i2c_adapter *bus)
{
	return I2C_FUNC_SMBUS_QUICK | I2C_FUNC_SMBUS_WORD_DATA;
}

static const struct i2c_algorithm algorithm = { .smbus_xfer = transfer, .functionality = functions };

static struct i2c_adapter adapter = { .owner = THIS_MODULE, .name = "expander", .nr = BUS, .algo = &algorithm };

static int set_pins(const char *text, const struct kernel_param *p)
{
	u16 value;
	bool fire;
	int status = kstrtou16(text, 0, &value);

	if (status)
		return status;
	mutex_lock(&lock);
	pins = value;
	fire = changed();
	mutex_unlock(&lock);
	if (fire)
		generic_handle_irq_safe(irq);
	return 0;
}

static int get_levels(char *text, const struct kernel_param *p)
{
	int n;

	mutex_lock(&lock);
	n = sysfs_emit(text, "0x%04x\n", levels());
	mutex_unlock(&lock);
	return n;
}

static int set_power(const char *text, const struct kernel_param *p)
{
	bool value;
	int status = kstrtobool(text, &value);

	if (status)
		return status;
	mutex_lock(&lock);
	if (value && !power)
		reset();
	power = value;
	mutex_unlock(&lock);
	return 0;
}

static const struct kernel_param_ops pins_ops = { .set = set_pins };
static const struct kernel_param_ops levels_ops = { .get = get_levels };
static const struct kernel_param_ops power_ops = { .set = set_power };

module_param_cb(pins, &pins_ops, NULL, 0200);
module_param_cb(levels, &levels_ops, NULL, 0400);
module_param_cb(power, &power_ops, NULL, 0200);

static const struct property_entry properties[] = {
	PROPERTY_ENTRY_BOOL("interrupt-controller"), PROPERTY_ENTRY_BOOL("microchip,irq-mirror"), {}
};
static const struct software_node node = { .properties = properties };

static int __init begin(void)
{
	struct i2c_board_info info = { I2C_BOARD_INFO("mcp23017", ADDRESS), .swnode = &node };
	int status;

	irq = irq_alloc_desc(-1);
	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	reset();
	status = i2c_add_numbered_adapter(&adapter);
	if (status)
		goto no_bus;
	info.irq = irq;
	client = i2c_new_client_device(&adapter, &info);
	if (!IS_ERR(client))
		return 0;
	status = PTR_ERR(client);
	i2c_del_adapter(&adapter);
no_bus:
	irq_free_desc(irq);
	return status;
}

static void __exit end(void)
{
	i2c_unregister_device(client);
	i2c_del_adapter(&adapter);
	irq_free_desc(irq);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("A simulated MCP23017");
MODULE_LICENSE("GPL");
