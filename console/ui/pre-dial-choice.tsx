import { NativeSelect } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { askers, type ChosenPreDial } from './pre-dial.js';
import { EndpointFields } from './pre-dial-fields.js';

interface Props {
  readonly values: ChosenPreDial;
  /** Whom the account's defaults have asked; undefined: nobody. */
  readonly ofAccount: Schemas['PreDial'] | undefined;
  readonly onChange: (part: Partial<ChosenPreDial>) => void;
  readonly problemAt: (path: string) => string | undefined;
}

/** Whom a batch call asks before each call: it may leave out even the endpoint of the account. */
export const PreDialChoice = ({ values, ofAccount, onChange, problemAt }: Props) => (
  <>
    <NativeSelect
      label="Asked before each call"
      description="An https address that says who may be called"
      value={values.asks}
      error={problemAt('preDial')}
      data={[
        { value: 'account', label: `As the account does: ${ofAccount === undefined ? 'nobody' : ofAccount.url}` },
        { value: 'none', label: 'Nobody' },
        { value: 'own', label: 'An address of its own' },
      ]}
      onChange={(event) => onChange({ asks: askers.find((each) => each === event.currentTarget.value) ?? values.asks })}
    />
    {values.asks === 'own' && (
      <EndpointFields label="Address that is asked" values={values} onChange={onChange} problemAt={problemAt} />
    )}
  </>
);
