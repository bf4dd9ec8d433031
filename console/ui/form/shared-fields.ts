import type { Direction } from '../../api/telephony.js';
import type { Field } from './field.js';

/** The numbers on the other side that a gateway or a rule has calls with. */
export const allowedNumbersField = (direction: Direction): Field<'allowedNumbers'> => ({
  kind: 'lines',
  path: 'allowedNumbers',
  label: direction === 'outbound' ? 'Numbers that may be called' : 'Numbers that may call',
  placeholder: '+1415*',
  description: 'One per line; a prefix ends in *. If empty, all',
});

export const tagsField: Field<'tags'> = {
  kind: 'lines',
  path: 'tags',
  label: 'Tags',
  description: 'Your own words, one per line',
};
