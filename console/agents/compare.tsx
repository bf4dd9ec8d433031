import { Group, NativeSelect, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { versionQuery } from '../api/agents.js';
import type { Schemas } from '../api/client.js';
import { Fresh } from '../ui/fresh.js';
import { counted } from '../ui/words.js';
import classes from './compare.module.css';
import { type DiffLine, diffOf, linesOf } from './diff.js';

/** Lines around a change that are shown with it. */
const around = 2;

const marks = { same: ' ', gone: '−', new: '+' } as const;
const said = { same: '', gone: 'removed: ', new: 'added: ' } as const;

/** The lines that changed, with some around them; null stands for those that are left out. */
const shownOf = (lines: readonly DiffLine[]): readonly (DiffLine | null)[] =>
  lines.flatMap((line, index) => {
    const isNear = (at: number) =>
      lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same');
    if (isNear(index)) return [line];
    return index === 0 || isNear(index - 1) ? [null] : [];
  });

function Difference({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const lines = diffOf(linesOf(before), linesOf(after));
  const count = (wanted: DiffLine['kind']) => lines.filter(({ kind }) => kind === wanted).length;
  if (count('same') === lines.length) return <Text size="sm">They are the same.</Text>;
  return (
    <>
      <Text size="sm" mb="xs">
        {counted(count('new'), 'line')} added, {counted(count('gone'), 'line')} removed.
      </Text>
      <div className={classes.lines} role="region" aria-label="Difference" tabIndex={0}>
        {shownOf(lines).map((line, index) =>
          line === null ? (
            <div key={index} className={classes.skipped} aria-label="Unchanged lines">
              ⋯
            </div>
          ) : (
            <div key={index} className={`${classes.line ?? ''} ${classes[line.kind] ?? ''}`} data-diff={line.kind}>
              <span aria-hidden="true">{marks[line.kind]} </span>
              {said[line.kind] !== '' && <span className={classes.heard}>{said[line.kind]}</span>}
              {line.text}
            </div>
          ),
        )}
      </div>
    </>
  );
}

interface Props {
  readonly agentId: string;
  readonly versions: readonly Schemas['AgentVersion'][];
  readonly before: string;
  readonly after: string;
  readonly onChange: (part: { readonly before?: string; readonly after?: string }) => void;
}

/** What differs between two versions of an agent. */
export function Compare({ agentId, versions, before, after, onChange }: Props) {
  const first = useQuery(versionQuery(agentId, before));
  const second = useQuery(versionQuery(agentId, after));
  const data = versions.map(({ versionId, number, versionName }) => ({
    value: versionId,
    label: `${number}: ${versionName}`,
  }));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="compare">
      <Title order={2} size="h4" id="compare" mb="xs">
        What differs
      </Title>
      <Group mb="sm">
        <NativeSelect
          label="Before"
          value={before}
          data={data}
          onChange={(event) => onChange({ before: event.currentTarget.value })}
        />
        <NativeSelect
          label="After"
          value={after}
          data={data}
          onChange={(event) => onChange({ after: event.currentTarget.value })}
        />
      </Group>
      <Fresh query={first}>
        {({ config: old }) => (
          <Fresh query={second}>{({ config }) => <Difference before={old} after={config} />}</Fresh>
        )}
      </Fresh>
    </Paper>
  );
}
