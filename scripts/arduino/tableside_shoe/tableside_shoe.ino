/* Tableside's reference shoe: an RC522 reader under the exit, a light gate behind it. Speaks OSLP/1 at 115200.
 *
 * The gate sees every card that leaves, the reader says which it was. A card that leaves unread is reported as
 * unread, and Tableside asks the dealer; it is never guessed. Wiring and first test: assistant/help/shoes.md.
 *
 * Needs the library MFRC522 (Arduino IDE, "Manage libraries"). Tried on no hardware yet: tell us.
 */
#include <EEPROM.h>
#include <MFRC522.h>
#include <SPI.h>

#include "oslp.h"

const uint8_t READER_SELECT = 10, READER_RESET = 9;  // RC522 SDA and RST
const uint8_t GATE = 2;                              // light gate: LOW while a card is in it
const uint8_t LID = 4;                               // optional switch: LOW while closed
const uint16_t TAG_GOOD_MS = 700;                    // a tag read so long before the gate is the card in the gate
const uint16_t GATE_LEAST_MS = 8;                    // shorter is dust
const uint16_t GATE_MOST_MS = 1500;                  // longer is a hand or a jam

MFRC522 reader(READER_SELECT, READER_RESET);
static oslp shoe;

static void write_bytes(const char *bytes, uint8_t length) { Serial.write((const uint8_t *)bytes, length); }

struct {
  uint8_t uid[10], length;
  uint32_t at;
  bool is_second;  // another tag came before the first had passed the gate
} waiting;

bool gate_was_dark = false, said_jam = false, lid_was_open = false;
uint32_t dark_since = 0, looked_at = 0;

static uint16_t next_boot() {
  uint16_t boot = (uint16_t)(EEPROM.read(0) << 8 | EEPROM.read(1)) + 1;
  EEPROM.write(0, boot >> 8);
  EEPROM.write(1, boot & 0xFF);
  return boot;
}

void setup() {
  Serial.begin(115200);
  SPI.begin();
  reader.PCD_Init();
  pinMode(GATE, INPUT_PULLUP);
  pinMode(LID, INPUT_PULLUP);
  lid_was_open = digitalRead(LID);
  oslp_begin(&shoe, next_boot(), "TABLESIDE-1", "1.0", "ATSL", write_bytes, millis());
  byte version = reader.PCD_ReadRegister(MFRC522::VersionReg);
  if (version == 0x00 || version == 0xFF) oslp_fault(&shoe, 1, millis());  // no reader on the wires
}

static void look_at_reader(uint32_t now) {
  if (now - looked_at < 15) return;
  looked_at = now;
  if (!reader.PICC_IsNewCardPresent() || !reader.PICC_ReadCardSerial()) return;
  bool is_same = waiting.length == reader.uid.size && !memcmp(waiting.uid, reader.uid.uidByte, waiting.length);
  bool is_fresh = waiting.length && now - waiting.at < TAG_GOOD_MS;
  waiting.is_second = is_fresh && (waiting.is_second || !is_same);
  waiting.length = reader.uid.size > 10 ? 10 : reader.uid.size;
  memcpy(waiting.uid, reader.uid.uidByte, waiting.length);
  waiting.at = now;
}

static void card_has_left(uint32_t now) {
  if (waiting.length && waiting.is_second)
    oslp_miss(&shoe, "MULTI", now);
  else if (waiting.length && now - waiting.at < TAG_GOOD_MS + GATE_MOST_MS)
    oslp_tag(&shoe, waiting.uid, waiting.length, 0, now);
  else
    oslp_miss(&shoe, "READ", now);
  waiting.length = 0;
  waiting.is_second = false;
}

static void look_at_gate(uint32_t now) {
  bool is_dark = digitalRead(GATE) == LOW;
  if (is_dark && !gate_was_dark) {
    dark_since = now;
    said_jam = false;
  }
  if (is_dark && !said_jam && now - dark_since > GATE_MOST_MS) {
    said_jam = true;
    oslp_miss(&shoe, "TIME", now);
    waiting.length = 0;
  }
  if (!is_dark && gate_was_dark && !said_jam && now - dark_since >= GATE_LEAST_MS) card_has_left(now);
  gate_was_dark = is_dark;
}

void loop() {
  uint32_t now = millis();
  while (Serial.available()) oslp_hear(&shoe, (char)Serial.read());
  look_at_reader(now);
  look_at_gate(now);
  bool lid_is_open = digitalRead(LID);
  if (lid_is_open != lid_was_open) oslp_lid(&shoe, lid_is_open, now);
  lid_was_open = lid_is_open;
  oslp_tick(&shoe, now);
}
