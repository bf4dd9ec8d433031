/** Names of time zones, for a field that takes one by its `list`. */
export const zonesId = 'time-zones';

const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The time zones that fields offer: once on a page. */
export const Zones = () => (
  <datalist id={zonesId}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);
