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
      label="Pre-dial check"
      description="An https endpoint that is asked before each call"
      value={values.asks}
      error={problemAt('preDial')}
      data={[
        { value: 'account', label: `As for the account: ${ofAccount === undefined ? 'none' : ofAccount.url}` },
        { value: 'none', label: 'None' },
        { value: 'own', label: 'An endpoint of its own' },
      ]}
      onChange={(event) => onChange({ asks: askers.find((each) => each === event.currentTarget.value) ?? values.asks })}
    />
    {values.asks === 'own' && (
      <EndpointFields label="Address of the endpoint" values={values} onChange={onChange} problemAt={problemAt} />
    )}
  </>
);
