/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hcq-pci-model: a PCI Express endpoint for QEMU whose config space, BARs, interrupts, DMA and resets are served by
 * another process (hcq-model serve). The protocol is docs/model-protocol.md; nothing of the hcq libraries is used here.
 *
 * Loaded into Debian's unmodified QEMU with LD_PRELOAD:
 *     -device hcq-pci-model,bus=rp0,path=/run/model.sock
 *
 * Threads: vCPU threads come in with the big lock held and wait for replies; one reader thread a device receives
 * everything, answers TRANSLATE at once (without the big lock, so that a waiting vCPU cannot block it) and hands
 * interrupts to the main loop.
 */
#include "qemu/osdep.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "block/aio.h"
#include "exec/address-spaces.h"
#include "exec/cpu-common.h"
#include "exec/memory.h"
#include "hw/pci/msi.h"
#include "hw/pci/msix.h"
#include "hw/pci/pci.h"
#include "hw/pci/pci_bridge.h"
#include "hw/pci/pcie.h"
#include "hw/qdev-properties.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/rcu.h"
#include "qemu/thread.h"

#include "wire.h"

#define TYPE_BRIDGE "hcq-pci-model"
OBJECT_DECLARE_SIMPLE_TYPE(Bridge, BRIDGE)

#define MAX_REGIONS 16
#define CONFIG_SIZE 4096
/* A model that says nothing for so long (stopped, or hung) is treated as one that died: the guest must not freeze. */
#define ANSWER_LIMIT_MS 60000

typedef struct BridgeBar {
    Bridge *bridge;
    MemoryRegion mr;
    uint64_t size;
    bool shared;
} BridgeBar;

typedef struct BridgeNotifier {
    Bridge *bridge;
    MemoryRegion *mr;
    IOMMUNotifier n;
    QLIST_ENTRY(BridgeNotifier) next;
} BridgeNotifier;

struct Bridge {
    PCIDevice parent;
    char *path;
    int fd;
    uint32_t window;
    WireHelloReply hello;
    BridgeBar bars[6];
    RAMBlock *regions[MAX_REGIONS];
    unsigned region_count;

    QemuThread reader;
    QemuMutex lock;          /* socket writes, and everything below */
    QemuCond arrived;
    bool dead, leaving;
    uint32_t tag, unacknowledged;
    bool have_reply;
    uint32_t reply_tag;
    WireHeader reply;
    uint8_t reply_data[WIRE_MAX_PAYLOAD];

    QemuMutex translating;   /* keeps an answer to TRANSLATE and a later INVALIDATE in order */
    uint32_t pending_vectors;
    MemoryListener listener;
    QLIST_HEAD(, BridgeNotifier) notifiers;
};

/* --- socket --------------------------------------------------------------------------------------------------- */

static bool read_all(int fd, void *buffer, size_t n)
{
    uint8_t *p = buffer;
    while (n) {
        ssize_t r = recv(fd, p, n, 0);
        if (r < 0 && errno == EINTR) {
            continue;
        }
        if (r <= 0) {
            return false;
        }
        p += r;
        n -= r;
    }
    return true;
}

static bool write_all(int fd, const struct iovec *parts, int count, int pass_fd)
{
    union { struct cmsghdr align; char data[CMSG_SPACE(sizeof(int))]; } control = {};
    struct iovec v[2] = { parts[0], count > 1 ? parts[1] : (struct iovec){} };
    struct msghdr m = { .msg_iov = v, .msg_iovlen = count };
    if (pass_fd >= 0) {
        m.msg_control = control.data;
        m.msg_controllen = sizeof(control.data);
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &pass_fd, sizeof(int));
    }
    while (m.msg_iovlen) {
        ssize_t r = sendmsg(fd, &m, MSG_NOSIGNAL);
        if (r < 0 && errno == EINTR) {
            continue;
        }
        if (r <= 0) {
            return false;
        }
        m.msg_control = NULL;
        m.msg_controllen = 0;
        while (m.msg_iovlen && (size_t)r >= m.msg_iov->iov_len) {
            r -= m.msg_iov->iov_len;
            m.msg_iov++;
            m.msg_iovlen--;
        }
        if (m.msg_iovlen) {
            m.msg_iov->iov_base = (uint8_t *)m.msg_iov->iov_base + r;
            m.msg_iov->iov_len -= r;
        }
    }
    return true;
}

/* The link below the port is down: a port with native hot-plug tells the guest, which then powers the slot off, and that
 * removes this device from the slot. In the main loop. */
static void link_down(void *opaque)
{
    Bridge *b = opaque;
    PCIDevice *port = b->leaving ? NULL : pci_bridge_get_device(pci_get_bus(&b->parent));
    object_unref(OBJECT(b));
    if (!port || !port->exp.exp_cap) {
        return;
    }
    uint8_t *cap = port->config + port->exp.exp_cap;
    if (!(pci_get_word(cap + PCI_EXP_FLAGS) & PCI_EXP_FLAGS_SLOT) || !(pci_get_long(cap + PCI_EXP_SLTCAP) & PCI_EXP_SLTCAP_HPC)) {
        return;
    }
    pci_word_test_and_clear_mask(cap + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_DLLLA);
    /* QEMU's ports never report this event themselves: software cannot clear its bit yet, nor set its enable bit. */
    pci_word_test_and_set_mask(port->w1cmask + port->exp.exp_cap + PCI_EXP_SLTSTA, PCI_EXP_SLTSTA_DLLSC);
    pci_word_test_and_set_mask(cap + PCI_EXP_SLTSTA, PCI_EXP_SLTSTA_DLLSC);
    if (pci_get_word(cap + PCI_EXP_SLTCTL) & PCI_EXP_SLTCTL_HPIE) {
        if (msix_enabled(port)) {
            msix_notify(port, pcie_cap_flags_get_vector(port));
        } else if (msi_enabled(port)) {
            msi_notify(port, pcie_cap_flags_get_vector(port));
        }
    }
}

/* With b->lock held. A peer that is gone makes the device one that has left the bus. */
static void declare_dead(Bridge *b, const char *why)
{
    if (!b->dead) {
        b->dead = true;
        warn_report("hcq-pci-model: %s: %s; the device has left the bus", b->path, why);
        shutdown(b->fd, SHUT_RDWR);
        if (!b->leaving) {
            object_ref(OBJECT(b));
            aio_bh_schedule_oneshot(qemu_get_aio_context(), link_down, b);
        }
    }
    qemu_cond_broadcast(&b->arrived);
}

static void send_locked(Bridge *b, uint16_t type, uint16_t flags, uint32_t tag, const void *payload, uint32_t length, int pass_fd)
{
    WireHeader h = { .length = length, .type = type, .flags = flags, .tag = tag };
    struct iovec parts[2] = { { &h, sizeof(h) }, { (void *)payload, length } };
    if (!b->dead && !write_all(b->fd, parts, length ? 2 : 1, pass_fd)) {
        declare_dead(b, "the model's end of the socket is closed");
    }
}

/* Sends a request and waits for its reply; returns the bytes of the reply, or -1. Callers hold the big lock (or are in
 * realize), so there is one question at a time. */
static int ask(Bridge *b, uint16_t type, uint16_t flags, const void *payload, uint32_t length, int pass_fd, void *out, uint32_t out_size)
{
    int result = -1;
    qemu_mutex_lock(&b->lock);
    uint32_t tag = ++b->tag;
    b->have_reply = false;
    b->reply_tag = tag;
    send_locked(b, type, flags, tag, payload, length, pass_fd);
    while (!b->dead && !b->have_reply) {
        if (!qemu_cond_timedwait(&b->arrived, &b->lock, ANSWER_LIMIT_MS) && !b->have_reply) {
            declare_dead(b, "the model does not answer");
        }
    }
    if (!b->dead) {
        b->unacknowledged = 0;
        if (!(b->reply.flags & FLAG_ERROR) && b->reply.length <= out_size) {
            memcpy(out, b->reply_data, b->reply.length);
            result = b->reply.length;
        }
    }
    qemu_mutex_unlock(&b->lock);
    return result;
}

/* --- what the model asks -------------------------------------------------------------------------------------- */

static int region_of(Bridge *b, RAMBlock *block)
{
    for (unsigned i = 0; i < b->region_count; i++) {
        if (b->regions[i] == block) {
            return i;
        }
    }
    return -1;
}

static WireTranslation translate(Bridge *b, const WireTranslate *q)
{
    WireTranslation a = { .status = TRANSLATE_BLOCKED };
    bool write = q->flags & 1;
    hwaddr page = q->bus & ~0xfffull, offset, length;
    /* As far as the next 2 MiB boundary: the unit in which the guest's IOMMU driver maps large pages. */
    length = 0x200000 - (page & 0x1fffff);
    RCU_READ_LOCK_GUARD();
    MemoryRegion *mr = address_space_translate(pci_get_address_space(&b->parent), page, &offset, &length, write,
                                               MEMTXATTRS_UNSPECIFIED);
    length &= ~0xfffull;
    if (!memory_region_is_ram(mr) || (write && mr->readonly) || length == 0) {
        return a;
    }
    int region = region_of(b, mr->ram_block);
    if (region < 0) {
        a.status = TRANSLATE_NO_REGION;
        return a;
    }
    a.status = TRANSLATE_OK;
    a.region = region;
    a.bus = page;
    a.size = length;
    a.offset = offset;
    a.access = write ? 2 : 1;
    return a;
}

static void on_translate(Bridge *b, const WireHeader *h, const void *payload)
{
    qemu_mutex_lock(&b->translating);
    WireTranslation a = translate(b, payload);
    qemu_mutex_lock(&b->lock);
    send_locked(b, h->type, FLAG_REPLY, h->tag, &a, sizeof(a), -1);
    qemu_mutex_unlock(&b->lock);
    qemu_mutex_unlock(&b->translating);
}

static void deliver_interrupts(void *opaque)
{
    Bridge *b = opaque;
    uint32_t vectors = qatomic_xchg(&b->pending_vectors, 0);
    for (unsigned v = 0; vectors; v++, vectors >>= 1) {
        if ((vectors & 1) && !b->leaving && msi_enabled(&b->parent) && v < msi_nr_vectors_allocated(&b->parent)) {
            msi_notify(&b->parent, v);
        }
    }
    object_unref(OBJECT(b));
}

/* False when the message is malformed; then the connection ends. */
static bool on_message(Bridge *b, const WireHeader *h, const uint8_t *payload)
{
    if (h->flags & FLAG_REPLY) {
        qemu_mutex_lock(&b->lock);
        bool expected = h->tag == b->reply_tag && !b->have_reply;
        /* Acknowledgements of posted writes carry a tag of their own and nobody waits for them by it. */
        if (expected) {
            b->reply = *h;
            memcpy(b->reply_data, payload, h->length);
            b->have_reply = true;
            qemu_cond_broadcast(&b->arrived);
        }
        qemu_mutex_unlock(&b->lock);
        return expected;
    }
    switch (h->type) {
    case MSG_TRANSLATE:
        if (h->length != sizeof(WireTranslate)) {
            return false;
        }
        on_translate(b, h, payload);
        return true;
    case MSG_DMA_READ:
    case MSG_DMA_WRITE: {
        WireError e = { .code = ERROR_NO_MEMORY };
        qemu_mutex_lock(&b->lock);
        send_locked(b, h->type, FLAG_REPLY | FLAG_ERROR, h->tag, &e, sizeof(e), -1);
        qemu_mutex_unlock(&b->lock);
        return true;
    }
    case MSG_INTERRUPT: {
        const WireInterrupt *i = (const void *)payload;
        if (h->length != sizeof(*i) || i->vector >= 32) {
            return false;
        }
        qatomic_or(&b->pending_vectors, 1u << i->vector);
        object_ref(OBJECT(b));
        aio_bh_schedule_oneshot(qemu_get_aio_context(), deliver_interrupts, b);
        return true;
    }
    case MSG_VIOLATION:
        warn_report("hcq-pci-model: violation: %.*s", (int)MIN(h->length, 4096u), (const char *)payload);
        return true;
    default:
        return false;
    }
}

static void *reader_main(void *opaque)
{
    Bridge *b = opaque;
    g_autofree uint8_t *payload = g_malloc(WIRE_MAX_PAYLOAD);
    const char *why = "the model is gone";
    rcu_register_thread();
    for (;;) {
        WireHeader h;
        if (!read_all(b->fd, &h, sizeof(h))) {
            break;
        }
        if (h.length > WIRE_MAX_PAYLOAD || !read_all(b->fd, payload, h.length) || !on_message(b, &h, payload)) {
            why = "the model sent a malformed message";
            break;
        }
    }
    qemu_mutex_lock(&b->lock);
    declare_dead(b, why);
    qemu_mutex_unlock(&b->lock);
    rcu_unregister_thread();
    return NULL;
}

/* --- what the guest does -------------------------------------------------------------------------------------- */

static uint64_t bar_read(void *opaque, hwaddr offset, unsigned size)
{
    BridgeBar *bar = opaque;
    WireBarRead q = { .bar = bar - bar->bridge->bars, .size = size, .offset = offset };
    uint64_t value = ~0ull;
    if (ask(bar->bridge, MSG_BAR_READ, 0, &q, sizeof(q), -1, &value, sizeof(value)) != sizeof(value)) {
        return ~0ull;
    }
    return value;
}

static void bar_write(void *opaque, hwaddr offset, uint64_t value, unsigned size)
{
    BridgeBar *bar = opaque;
    Bridge *b = bar->bridge;
    WireBarWrite q = { .bar = bar - b->bars, .size = size, .offset = offset, .value = value };
    if (b->unacknowledged + 1 >= b->window) {
        uint8_t none;
        ask(b, MSG_BAR_WRITE, FLAG_ACK, &q, sizeof(q), -1, &none, 0);
        return;
    }
    qemu_mutex_lock(&b->lock);
    b->unacknowledged++;
    send_locked(b, MSG_BAR_WRITE, 0, ++b->tag, &q, sizeof(q), -1);
    qemu_mutex_unlock(&b->lock);
}

static const MemoryRegionOps kBarOps = {
    .read = bar_read,
    .write = bar_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

static void invalidate(Bridge *b, uint64_t bus, uint64_t size)
{
    WireInvalidate q = { .bus = bus, .size = size };
    uint8_t none;
    /* Answers that were looked up before are sent before; the lock is not held while waiting. */
    qemu_mutex_lock(&b->translating);
    qemu_mutex_unlock(&b->translating);
    ask(b, MSG_INVALIDATE, 0, &q, sizeof(q), -1, &none, 0);
}

static uint32_t model_config_read(Bridge *b, uint16_t offset, uint16_t size)
{
    WireConfigRead q = { .offset = offset, .size = size };
    uint32_t value = ~0u;
    ask(b, MSG_CONFIG_READ, 0, &q, sizeof(q), -1, &value, sizeof(value));
    return value;
}

/* A card can reset itself (a message to its power controller): COMMAND, the BARs and MSI are lost then, and only the model
 * knows. Before the guest looks at its copy, that is made to agree. */
static void notice_reset(Bridge *b)
{
    PCIDevice *dev = &b->parent;
    const uint16_t mask = PCI_COMMAND_IO | PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
    uint16_t mine = pci_get_word(dev->config + PCI_COMMAND);
    uint32_t command = model_config_read(b, PCI_COMMAND, 2);
    if (b->dead || !((command ^ mine) & mask)) {
        return;
    }
    pci_default_write_config(dev, PCI_COMMAND, command & 0xffff, 2);
    for (int at = PCI_BASE_ADDRESS_0; at <= PCI_BASE_ADDRESS_5; at += 4) {
        pci_default_write_config(dev, at, model_config_read(b, at, 4), 4);
    }
    if (dev->msi_cap) {
        pci_default_write_config(dev, dev->msi_cap + PCI_MSI_FLAGS, model_config_read(b, dev->msi_cap + PCI_MSI_FLAGS, 2) & 0xffff, 2);
    }
    if (mine & PCI_COMMAND_MASTER) {
        invalidate(b, 0, 0);
    }
}

static uint32_t bridge_config_read(PCIDevice *dev, uint32_t address, int size)
{
    Bridge *b = BRIDGE(dev);
    if (!b->dead && address < 0x40) {
        notice_reset(b);
    }
    return b->dead ? ~0u : pci_default_read_config(dev, address, size);
}

static void bridge_config_write(PCIDevice *dev, uint32_t address, uint32_t value, int size)
{
    Bridge *b = BRIDGE(dev);
    WireConfigWrite q = { .offset = address, .size = size, .value = value };
    uint8_t none;
    bool was_master = pci_get_word(dev->config + PCI_COMMAND) & PCI_COMMAND_MASTER;
    pci_default_write_config(dev, address, value, size);
    pcie_cap_flr_write_config(dev, address, value, size);
    bool is_master = pci_get_word(dev->config + PCI_COMMAND) & PCI_COMMAND_MASTER;
    if (address + size <= CONFIG_SIZE && (address & (size - 1)) == 0) {
        ask(b, MSG_CONFIG_WRITE, 0, &q, sizeof(q), -1, &none, 0);
    }
    if (was_master && !is_master) {
        invalidate(b, 0, 0);
    }
}

static void bridge_reset(DeviceState *dev)
{
    uint8_t none;
    Bridge *b = BRIDGE(dev);
    if (b->fd >= 0) {
        ask(b, MSG_RESET, 0, NULL, 0, -1, &none, 0);
        invalidate(b, 0, 0);
    }
}

/* --- the guest's IOMMU ---------------------------------------------------------------------------------------- */

static void on_unmap(IOMMUNotifier *n, IOMMUTLBEntry *entry)
{
    BridgeNotifier *bn = container_of(n, BridgeNotifier, n);
    uint64_t size = entry->addr_mask + 1;
    if (size == 0 || size > (1ull << 48)) {
        invalidate(bn->bridge, 0, 0);
    } else {
        invalidate(bn->bridge, entry->iova & ~0xfffull, MAX(size, 4096));
    }
}

static void on_region_add(MemoryListener *listener, MemoryRegionSection *section)
{
    Bridge *b = container_of(listener, Bridge, listener);
    if (memory_region_is_iommu(section->mr)) {
        BridgeNotifier *bn = g_new0(BridgeNotifier, 1);
        bn->bridge = b;
        bn->mr = section->mr;
        iommu_notifier_init(&bn->n, on_unmap, IOMMU_NOTIFIER_UNMAP, section->offset_within_region,
                            section->offset_within_region + int128_get64(int128_sub(section->size, int128_one())),
                            memory_region_iommu_attrs_to_index(IOMMU_MEMORY_REGION(section->mr), MEMTXATTRS_UNSPECIFIED));
        memory_region_register_iommu_notifier(section->mr, &bn->n, &error_fatal);
        QLIST_INSERT_HEAD(&b->notifiers, bn, next);
    }
    invalidate(b, 0, 0);
}

static void on_region_del(MemoryListener *listener, MemoryRegionSection *section)
{
    Bridge *b = container_of(listener, Bridge, listener);
    BridgeNotifier *bn, *following;
    QLIST_FOREACH_SAFE(bn, &b->notifiers, next, following) {
        if (bn->mr == section->mr && bn->n.start == section->offset_within_region) {
            memory_region_unregister_iommu_notifier(bn->mr, &bn->n);
            QLIST_REMOVE(bn, next);
            g_free(bn);
        }
    }
    invalidate(b, 0, 0);
}

/* --- making the device ---------------------------------------------------------------------------------------- */

static bool connect_model(Bridge *b, int *bar_fds, Error **errp)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    WireHello hello = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .flags = 1, .name = "QEMU" };
    WireHeader h = { .length = sizeof(hello), .type = MSG_HELLO };
    union { struct cmsghdr align; char data[CMSG_SPACE(6 * sizeof(int))]; } control = {};
    struct iovec parts[2] = { { &h, sizeof(h) }, { &hello, sizeof(hello) } };

    if (strlen(b->path) >= sizeof(address.sun_path)) {
        error_setg(errp, "hcq-pci-model: socket path is too long");
        return false;
    }
    strcpy(address.sun_path, b->path);
    b->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (b->fd < 0 || connect(b->fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        error_setg_errno(errp, errno, "hcq-pci-model: no model at %s", b->path);
        return false;
    }
    /* The first byte of the reply carries the descriptors of shared BARs. */
    struct iovec in = { &h, sizeof(h) };
    struct msghdr m = { .msg_iov = &in, .msg_iovlen = 1, .msg_control = control.data, .msg_controllen = sizeof(control.data) };
    if (!write_all(b->fd, parts, 2, -1) || recvmsg(b->fd, &m, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof(h) ||
        h.type != MSG_HELLO || !(h.flags & FLAG_REPLY)) {
        error_setg(errp, "hcq-pci-model: %s does not speak the model protocol", b->path);
        return false;
    }
    if (h.flags & FLAG_ERROR) {
        g_autofree char *text = g_malloc0(WIRE_MAX_PAYLOAD + 1);
        if (h.length > sizeof(WireError) && h.length <= WIRE_MAX_PAYLOAD && read_all(b->fd, text, h.length)) {
            error_setg(errp, "hcq-pci-model: %s: %s", b->path, text + sizeof(WireError));
        } else {
            error_setg(errp, "hcq-pci-model: %s refused the connection", b->path);
        }
        return false;
    }
    if (h.length != sizeof(b->hello) || !read_all(b->fd, &b->hello, sizeof(b->hello)) || b->hello.magic != WIRE_MAGIC ||
        b->hello.version != WIRE_VERSION) {
        error_setg(errp, "hcq-pci-model: %s speaks another version of the model protocol", b->path);
        return false;
    }
    b->window = MAX(b->hello.window, 1);
    int fds[6], count = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
            count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            memcpy(fds, CMSG_DATA(c), count * sizeof(int));
        }
    }
    for (int i = 0, next = 0; i < 6; i++) {
        bar_fds[i] = (b->hello.bar[i].flags & 1) && next < count ? fds[next++] : -1;
    }
    return true;
}

static int add_region(RAMBlock *block, void *opaque)
{
    Bridge *b = opaque;
    int fd = qemu_ram_get_fd(block);
    if (fd < 0 || !qemu_ram_is_shared(block) || b->region_count == MAX_REGIONS) {
        return 0;
    }
    for (int i = 0; i < 6; i++) {
        if (b->bars[i].shared && b->bars[i].mr.ram_block == block) {
            return 0;
        }
    }
    uint8_t none;
    WireRegionAdd q = { .id = b->region_count, .size = qemu_ram_get_used_length(block) };
    if (ask(b, MSG_REGION_ADD, 0, &q, sizeof(q), fd, &none, 0) == 0) {
        b->regions[b->region_count++] = block;
    }
    return 0;
}

/* The capabilities of the model, kept at their offsets, by QEMU's own code where it has some (MSI, PCI Express). */
static bool add_capabilities(Bridge *b, const uint8_t *config, Error **errp)
{
    PCIDevice *dev = &b->parent;
    uint8_t offsets[48];
    int count = 0;
    for (uint8_t at = config[PCI_CAPABILITY_LIST] & ~3; at >= 0x40 && count < 48; at = config[at + PCI_CAP_LIST_NEXT] & ~3) {
        offsets[count++] = at;
    }
    while (count--) {
        uint8_t at = offsets[count], id = config[at];
        if (id == PCI_CAP_ID_MSI) {
            uint16_t flags = pci_get_word(config + at + PCI_MSI_FLAGS);
            if (msi_init(dev, at, 1u << ((flags & PCI_MSI_FLAGS_QMASK) >> 1), flags & PCI_MSI_FLAGS_64BIT,
                         flags & PCI_MSI_FLAGS_MASKBIT, errp) < 0) {
                return false;
            }
        } else if (id == PCI_CAP_ID_EXP) {
            uint8_t type = (pci_get_word(config + at + PCI_EXP_FLAGS) & PCI_EXP_FLAGS_TYPE) >> 4;
            if (pcie_cap_init(dev, at, type, 0, errp) < 0) {
                return false;
            }
            if (pci_get_long(config + at + PCI_EXP_DEVCAP) & PCI_EXP_DEVCAP_FLR) {
                pcie_cap_flr_init(dev);
            }
        } else if (id == PCI_CAP_ID_PM) {
            if (pci_add_capability(dev, id, at, PCI_PM_SIZEOF, errp) < 0) {
                return false;
            }
            memcpy(dev->config + at + 2, config + at + 2, PCI_PM_SIZEOF - 2);
        }
    }
    return true;
}

static bool add_bars(Bridge *b, const uint8_t *config, int *fds, Error **errp)
{
    static const char *names[] = { "bar0", "bar1", "bar2", "bar3", "bar4", "bar5" };
    for (int i = 0; i < 6; i++) {
        BridgeBar *bar = &b->bars[i];
        bar->bridge = b;
        bar->size = b->hello.bar[i].size;
        if (!bar->size) {
            continue;
        }
        if (!is_power_of_2(bar->size)) {
            error_setg(errp, "hcq-pci-model: BAR %d has a size that is no power of two", i);
            return false;
        }
        if (fds[i] >= 0) {
            Error *e = NULL;
            memory_region_init_ram_from_fd(&bar->mr, OBJECT(b), names[i], bar->size, RAM_SHARED, fds[i], 0, &e);
            if (e) {
                error_propagate(errp, e);
                return false;
            }
            bar->shared = true;
        } else {
            memory_region_init_io(&bar->mr, OBJECT(b), &kBarOps, bar, names[i], bar->size);
        }
        uint8_t flags = config[PCI_BASE_ADDRESS_0 + 4 * i] & 0xf;
        pci_register_bar(&b->parent, i, flags, &bar->mr);
    }
    return true;
}

static void bridge_realize(PCIDevice *dev, Error **errp)
{
    Bridge *b = BRIDGE(dev);
    uint8_t config[CONFIG_SIZE];
    int fds[6];

    /* Built against headers of the same version, but configured apart: layouts that differ would corrupt memory. */
    if (object_type_get_instance_size(TYPE_PCI_DEVICE) != sizeof(PCIDevice)) {
        error_setg(errp, "hcq-pci-model: built against other headers than this QEMU (PCIDevice differs); rebuild it");
        return;
    }
    qemu_mutex_init(&b->lock);
    qemu_mutex_init(&b->translating);
    qemu_cond_init(&b->arrived);
    QLIST_INIT(&b->notifiers);
    if (!b->path || !connect_model(b, fds, errp)) {
        if (!b->path) {
            error_setg(errp, "hcq-pci-model: path= is missing");
        }
        return;
    }
    qemu_thread_create(&b->reader, "hcq-reader", reader_main, b, QEMU_THREAD_JOINABLE);
    for (int i = 0; i < CONFIG_SIZE; i += 4) {
        pci_set_long(config + i, model_config_read(b, i, 4));
    }
    memcpy(dev->config, config, 0x10);
    memcpy(dev->config + PCI_SUBSYSTEM_VENDOR_ID, config + PCI_SUBSYSTEM_VENDOR_ID, 4);
    pci_set_word(dev->config + PCI_COMMAND, 0);
    pci_set_word(dev->config + PCI_STATUS, 0);
    dev->config[PCI_INTERRUPT_PIN] = 0;
    if (!add_bars(b, config, fds, errp) || !add_capabilities(b, config, errp)) {
        return;
    }
    qemu_ram_foreach_block(add_region, b);
    if (!b->region_count) {
        error_setg(errp, "hcq-pci-model: the guest's memory cannot be shared; use -object memory-backend-memfd,id=ram,share=on,size=... "
                         "-machine memory-backend=ram");
        return;
    }
    uint8_t none;
    WireIrqEnable irq = { .on = 1 };
    ask(b, MSG_IRQ_ENABLE, 0, &irq, sizeof(irq), -1, &none, 0);
    b->listener = (MemoryListener){ .region_add = on_region_add, .region_del = on_region_del, .name = "hcq-pci-model" };
    memory_listener_register(&b->listener, pci_device_iommu_address_space(dev));
}

static void bridge_exit(PCIDevice *dev)
{
    Bridge *b = BRIDGE(dev);
    if (b->listener.name) {
        memory_listener_unregister(&b->listener);
    }
    qemu_mutex_lock(&b->lock);
    b->leaving = true;
    qemu_mutex_unlock(&b->lock);
    shutdown(b->fd, SHUT_RDWR);
    qemu_thread_join(&b->reader);
    close(b->fd);
    b->fd = -1;
}

static Property kProperties[] = {
    DEFINE_PROP_STRING("path", Bridge, path),
    DEFINE_PROP_END_OF_LIST(),
};

static void bridge_instance_init(Object *obj)
{
    BRIDGE(obj)->fd = -1;
    PCI_DEVICE(obj)->cap_present |= QEMU_PCI_CAP_EXPRESS;
}

static void bridge_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);
    k->realize = bridge_realize;
    k->exit = bridge_exit;
    k->config_read = bridge_config_read;
    k->config_write = bridge_config_write;
    k->vendor_id = 0xffff;  /* replaced by the model's */
    k->device_id = 0xffff;
    k->class_id = PCI_CLASS_OTHERS;
    dc->reset = bridge_reset;
    dc->desc = "hcq software device served by another process";
    device_class_set_props(dc, kProperties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo kInfo = {
    .name = TYPE_BRIDGE,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(Bridge),
    .instance_init = bridge_instance_init,
    .class_init = bridge_class_init,
    .interfaces = (InterfaceInfo[]) { { INTERFACE_PCIE_DEVICE }, {} },
};

static void bridge_register(void) { type_register_static(&kInfo); }
type_init(bridge_register)
