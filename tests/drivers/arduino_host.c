/* Runs oslp.h on the host: a script of commands on stdin, the shoe's bytes as hex on stdout.
 *
 * boot HEX CAPS    begin            t MS           the time           h HEX      bytes from the host
 * card AS   tag HEX READER   miss READ   back   cut   empt   lid 1   flt 7   tick
 */
#include <stdlib.h>

#include "oslp.h"

static oslp shoe;
static uint32_t now;

static void write_bytes(const char *bytes, uint8_t length) {
  for (uint8_t i = 0; i < length; i++) printf("%02X", (uint8_t)bytes[i]);
}

static uint8_t unhex(const char *text, uint8_t *bytes, uint8_t most) {
  uint8_t length = 0;
  for (unsigned byte; length < most && sscanf(text, "%2X", &byte) == 1; text += 2) bytes[length++] = (uint8_t)byte;
  return length;
}

int main(void) {
  char line[512], word[256], more[64];
  uint8_t bytes[128];
  while (fgets(line, sizeof line, stdin)) {
    word[0] = more[0] = 0;
    int words = sscanf(line, "%*s %255s %63s", word, more);
    (void)words;
    if (!strncmp(line, "boot", 4)) {
      static char caps[64];
      strcpy(caps, more);
      oslp_begin(&shoe, (uint16_t)strtoul(word, NULL, 16), "SHOE-01", "1.0.2", caps, write_bytes, now);
    } else if (line[0] == 't' && line[1] == ' ') {
      now = (uint32_t)strtoul(word, NULL, 10);
    } else if (line[0] == 'h') {
      uint8_t length = unhex(word, bytes, sizeof bytes);
      for (uint8_t i = 0; i < length; i++) oslp_hear(&shoe, (char)bytes[i]);
    } else if (!strncmp(line, "card", 4)) {
      oslp_card(&shoe, word, now);
    } else if (!strncmp(line, "tag", 3)) {
      oslp_tag(&shoe, bytes, unhex(word, bytes, 10), (uint8_t)atoi(more), now);
    } else if (!strncmp(line, "miss", 4)) {
      oslp_miss(&shoe, word, now);
    } else if (!strncmp(line, "back", 4)) {
      oslp_back(&shoe, now);
    } else if (!strncmp(line, "cut", 3)) {
      oslp_cut(&shoe, now);
    } else if (!strncmp(line, "empt", 4)) {
      oslp_empty(&shoe, now);
    } else if (!strncmp(line, "lid", 3)) {
      oslp_lid(&shoe, (uint8_t)atoi(word), now);
    } else if (!strncmp(line, "flt", 3)) {
      oslp_fault(&shoe, (uint16_t)atoi(word), now);
    } else if (!strncmp(line, "tick", 4)) {
      oslp_tick(&shoe, now);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
