/* OSLP/1, the Open Shoe Line Protocol, from the shoe's side: lines, check, ring, resending.
 *
 * Plain C99, no memory but one struct, no blocking: the sketch gives it the time and the bytes that came, and takes
 * the bytes to send. The same file is compiled for the host in a test, against the program's own codec.
 *
 *   static oslp shoe;
 *   oslp_begin(&shoe, boot, "SHOE-01", "1.0", "ATS", write_bytes, millis());
 *   loop: oslp_hear(&shoe, byte); oslp_tick(&shoe, millis());
 *   a card: oslp_tag(&shoe, uid, length, reader, millis());   unread: oslp_miss(&shoe, "READ", millis());
 */
#ifndef OSLP_H
#define OSLP_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define OSLP_RING 8          /* events kept to be sent again: 8 x 54 bytes of a Uno's 2 KiB */
#define OSLP_LINE 64         /* the longest legal line, with its end */
#define OSLP_BODY 52         /* what stands between $ and *, of our own events */
#define OSLP_BEAT_MS 1000u
#define OSLP_RESEND_MS 250u
#define OSLP_RESEND_MOST_MS 2000u
#define OSLP_HELLO_MS 300u
#define OSLP_COPY_MS 30u

typedef struct {
  void (*write)(const char *bytes, uint8_t length);
  const char *device, *firmware, *caps;
  uint16_t boot, seq, acked;
  uint32_t beat_at, resend_at, resend_ms, hello_at, copy_at;
  uint8_t hellos, copies, can_hear, count, asked;
  char ring[OSLP_RING][OSLP_BODY + 1];
  char heard[OSLP_LINE];
  uint8_t heard_length;
} oslp;

/* CRC-16/CCITT-FALSE: 0x29B1 for "123456789". */
static uint16_t oslp_crc(const char *bytes, uint8_t length) {
  uint16_t crc = 0xFFFF;
  while (length--) {
    crc ^= (uint16_t)((uint8_t)*bytes++) << 8;
    for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
  }
  return crc;
}

/* Send one line: $body*CRC CR LF. */
static void oslp_send(oslp *shoe, const char *body) {
  char line[OSLP_LINE + 16];
  int length = snprintf(line, sizeof line, "$%s*%04X\r\n", body, oslp_crc(body, (uint8_t)strlen(body)));
  shoe->write(line, (uint8_t)length);
}

static void oslp_hello(oslp *shoe) {
  char body[OSLP_LINE];
  snprintf(body, sizeof body, "HELO,1,%04X,%s,%s,%s", shoe->boot, shoe->device, shoe->firmware, shoe->caps);
  oslp_send(shoe, body);
}

/* Begin after a reset. `boot` must differ from the last one; caps without A means that nobody listens. */
static void oslp_begin(oslp *shoe, uint16_t boot, const char *device, const char *firmware, const char *caps,
                       void (*write)(const char *, uint8_t), uint32_t now) {
  memset(shoe, 0, sizeof *shoe);
  shoe->write = write;
  shoe->boot = boot;
  shoe->device = device;
  shoe->firmware = firmware;
  shoe->caps = caps;
  shoe->can_hear = strchr(caps, 'A') != NULL;
  shoe->hellos = 3;
  shoe->hello_at = now;
  shoe->beat_at = now + OSLP_BEAT_MS;
}

static char *oslp_slot(oslp *shoe, uint16_t seq) { return shoe->ring[seq % OSLP_RING]; }

/* Issue an event; `fields` may be empty. */
static void oslp_event(oslp *shoe, const char *type, const char *fields, uint32_t now) {
  shoe->seq++;
  if (shoe->count < OSLP_RING) shoe->count++;
  snprintf(oslp_slot(shoe, shoe->seq), OSLP_BODY + 1, "%s,%04X,%04X,%s%s%lu", type, shoe->boot, shoe->seq, fields,
           *fields ? "," : "", (unsigned long)now);
  oslp_send(shoe, oslp_slot(shoe, shoe->seq));
  if ((uint16_t)(shoe->seq - shoe->acked) == 1) {
    shoe->resend_ms = OSLP_RESEND_MS;
    shoe->resend_at = now + OSLP_RESEND_MS;
  }
  shoe->copies = 2;
  shoe->copy_at = now + OSLP_COPY_MS;
}

/* A tagged card left the shoe; the host knows which card the tag sticks on. */
static void oslp_tag(oslp *shoe, const uint8_t *uid, uint8_t length, uint8_t reader, uint32_t now) {
  char fields[2 * 10 + 5];
  if (length > 10) length = 10;
  for (uint8_t i = 0; i < length; i++) snprintf(fields + 2 * i, 3, "%02X", uid[i]);
  snprintf(fields + 2 * length, 5, ",%u", reader);
  oslp_event(shoe, "TAG", fields, now);
}

/* A card left the shoe whose name the shoe knows itself: "AS", "TD", "XR". */
static void oslp_card(oslp *shoe, const char *card, uint32_t now) { oslp_event(shoe, "CARD", card, now); }
/* A card left the shoe unread: READ, MULTI or TIME. */
static void oslp_miss(oslp *shoe, const char *why, uint32_t now) { oslp_event(shoe, "MISS", why, now); }
static void oslp_back(oslp *shoe, uint32_t now) { oslp_event(shoe, "BACK", "", now); }
static void oslp_cut(oslp *shoe, uint32_t now) { oslp_event(shoe, "CUT", "", now); }
static void oslp_empty(oslp *shoe, uint32_t now) { oslp_event(shoe, "EMPT", "", now); }
static void oslp_lid(oslp *shoe, uint8_t is_open, uint32_t now) {
  oslp_event(shoe, "LID", is_open ? "1" : "0", now);
}
static void oslp_fault(oslp *shoe, uint16_t code, uint32_t now) {
  char fields[6];
  snprintf(fields, sizeof fields, "%u", code % 1000u);
  oslp_event(shoe, "FLT", fields, now);
}

static void oslp_obey(oslp *shoe, char *line, uint8_t length) {
  char type[4];
  unsigned boot, seq, check;
  char *star = memchr(line, '*', length);
  if (line[0] != '$' || !star || line + length - star != 5) return;
  if (sscanf(star + 1, "%4X", &check) != 1 || check != oslp_crc(line + 1, (uint8_t)(star - line - 1))) return;
  *star = 0;
  if (!strcmp(line + 1, "PING")) {
    oslp_hello(shoe);
    return;
  }
  if (sscanf(line + 1, "%3[A-Z],%4X,%4X", type, &boot, &seq) != 3 || boot != shoe->boot) return;
  uint16_t behind = (uint16_t)(shoe->seq - seq);
  if (!strcmp(type, "ACK") && behind <= (uint16_t)(shoe->seq - shoe->acked)) shoe->acked = (uint16_t)seq;
  if (!strcmp(type, "NAK") && behind < shoe->count) oslp_send(shoe, oslp_slot(shoe, (uint16_t)seq));
}

/* Take a byte from the host; damaged lines are ignored. */
static void oslp_hear(oslp *shoe, char byte) {
  if (byte == '\r') return;
  if (byte != '\n') {
    if (shoe->heard_length < OSLP_LINE - 1) shoe->heard[shoe->heard_length] = byte;
    if (shoe->heard_length < OSLP_LINE) shoe->heard_length++;
    return;
  }
  if (shoe->can_hear && shoe->heard_length < OSLP_LINE) {
    shoe->heard[shoe->heard_length] = 0;
    oslp_obey(shoe, shoe->heard, shoe->heard_length);
  }
  shoe->heard_length = 0;
}

static uint8_t oslp_due(uint32_t now, uint32_t at) { return (int32_t)(now - at) >= 0; }

static void oslp_again(oslp *shoe, uint16_t first) {
  if ((uint16_t)(shoe->seq - first) >= shoe->count) first = (uint16_t)(shoe->seq - shoe->count + 1);
  for (uint16_t seq = first; (uint16_t)(shoe->seq - seq) < shoe->count; seq++) oslp_send(shoe, oslp_slot(shoe, seq));
}

/* Say hello, beat, send again; call it often. */
static void oslp_tick(oslp *shoe, uint32_t now) {
  char body[OSLP_LINE];
  uint16_t waiting = shoe->can_hear ? (uint16_t)(shoe->seq - shoe->acked) : 0;
  if (shoe->hellos && oslp_due(now, shoe->hello_at)) {
    shoe->hellos--;
    shoe->hello_at = now + OSLP_HELLO_MS;
    oslp_hello(shoe);
  }
  if (oslp_due(now, shoe->beat_at)) {
    shoe->beat_at = now + OSLP_BEAT_MS;
    snprintf(body, sizeof body, "BEAT,%04X,%04X,%u,%lu", shoe->boot, shoe->seq, waiting, (unsigned long)now);
    oslp_send(shoe, body);
  }
  if (waiting && oslp_due(now, shoe->resend_at)) {
    oslp_again(shoe, (uint16_t)(shoe->acked + 1));
    shoe->resend_ms = shoe->resend_ms * 2 > OSLP_RESEND_MOST_MS ? OSLP_RESEND_MOST_MS : shoe->resend_ms * 2;
    shoe->resend_at = now + shoe->resend_ms;
  }
  if (!shoe->can_hear && shoe->copies && oslp_due(now, shoe->copy_at)) {
    shoe->copies--;
    shoe->copy_at = now + OSLP_COPY_MS;
    oslp_again(shoe, shoe->seq);
  }
}

#endif
