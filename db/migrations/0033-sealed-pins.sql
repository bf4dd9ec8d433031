-- PINs of rooms are sealed, as the passwords of gateways are.

-- Where room_pin is 'sealed', the digits are sealed here. Digits that the version before has stored in room_pin stay as they are
-- until their rule is written, or `outdial secrets rotate` runs. If that version still runs and does not know this column, it
-- asks callers for a PIN that no telephone can press: with null instead of the word, it would let everyone in.
alter table routing_rules add column room_pin_sealed text;
alter table routing_rules add constraint sealed_pins_are_there
  check (room_pin is distinct from 'sealed' or room_pin_sealed is not null);
