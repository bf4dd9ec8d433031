import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './fresh.js';

/** Where this tab keeps with which build it has loaded itself again for a file that was gone. */
const loadedAgainKey = 'outdial.loadedAgain';

/** The address of the first file of this build: it has another name in each. */
const thisBuild = (): string => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';

/** Whether the service has the page that names the files of its build. */
const isThere = (): Promise<boolean> =>
  fetch('/console', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

type Lack = 'unreachable' | 'gone';

const reasons: Readonly<Record<Lack, string>> = {
  unreachable: 'The service does not answer. Reload the page once it does.',
  gone: 'The service answers, but does not have this file. Another version of Outdial may have been installed since this tab was opened: reload the page.',
};

interface NotLoadedProps {
  readonly lack: Lack;
  readonly isPage: boolean;
  readonly isLoading: boolean;
  readonly onAgain: () => void;
}

/** What stands in place of something that could not be loaded. */
const NotLoaded = ({ lack, isPage, isLoading, onAgain }: NotLoadedProps) => {
  const content = (
    <Group justify="space-between">
      <Text size="sm">{reasons[lack]}</Text>
      <Button variant="default" size="xs" loading={isLoading} onClick={onAgain}>
        Reload
      </Button>
    </Group>
  );
  if (!isPage)
    return (
      <Alert color="red" role="alert" title="This part of the page could not be loaded">
        {content}
      </Alert>
    );
  return (
    <Stack role="alert">
      <Title order={1} size="h2">
        This page could not be loaded
      </Title>
      {content}
    </Stack>
  );
};

interface Options {
  /** What stands there meanwhile. */
  readonly meanwhile?: ReactNode;
  /** It is all that there is to see: nothing is lost if the browser loads everything again. */
  readonly isPage?: boolean;
}

/**
 * A component whose file is loaded when it is first shown. If that fails, its place says why, and “Reload” tries once more; what
 * was typed beside it stays. Of a new version, which has other files, the browser loads everything.
 */
function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { meanwhile = <Loading />, isPage = false }: Options,
) {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const start = () =>
    (loading ??= load()
      .then((component) => (loaded = component))
      .finally(() => (loading = null)));

  function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded);
    const [lack, setLack] = useState<Lack | null>(null);
    const [tries, setTries] = useState(0);
    const [isLoading, setLoading] = useState(true);
    useEffect(() => {
      let isGone = false;
      const attempt = async () => {
        try {
          const component = await start();
          if (!isGone) setPart(() => component);
        } catch {
          const isReachable = await isThere();
          if (isGone) return;
          // The button always loads everything again. Without it a page does so once for each build, or it would never stop.
          if (isReachable && (tries > 0 || (isPage && sessionStorage.getItem(loadedAgainKey) !== thisBuild()))) {
            sessionStorage.setItem(loadedAgainKey, thisBuild());
            window.location.reload();
            return;
          }
          setLack(isReachable ? 'gone' : 'unreachable');
          setLoading(false);
        }
      };
      if (Part === null) void attempt();
      return () => {
        isGone = true;
      };
    }, [Part, tries]);
    const again = () => {
      setLoading(true);
      setTries(tries + 1);
    };
    if (Part !== null) return <Part {...props} />;
    if (lack === null) return meanwhile;
    return <NotLoaded lack={lack} isPage={isPage} isLoading={isLoading} onAgain={again} />;
  }
  // The router has it loaded before it shows the page, or while a link to it is pointed at.
  Lazy.preload = () =>
    start().then(
      () => undefined,
      () => undefined,
    );
  return Lazy;
}

/** A page of the console, as a route has it. */
export const lazyPage = (load: () => Promise<ComponentType>) => lazy(load, { isPage: true });

/**
 * A part of a page that is seen later than the rest.
 *
 * @param meanwhile what stands in its place while it is loaded; default: a shape
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = <Loading />,
) => lazy(load, { meanwhile });
