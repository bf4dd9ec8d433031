import { Button, Code, CopyButton, Group, Popover, Stack, Text } from '@mantine/core';

/** A request that a page is made of. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** From the root, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same request for a shell. The token stays out of it. */
export function curlOf({ method = 'GET', path, body }: Request, origin: string): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['--request', method]), quoted(origin + path)];
  parts.push('--header', '"Authorization: $TOKEN"');
  if (body !== undefined) parts.push('--json', quoted(JSON.stringify(body)));
  return parts.join(' ');
}

/** A button that shows the requests behind a page, to be copied. */
export function Curl({ requests }: { readonly requests: readonly Request[] }) {
  const text = requests.map((request) => curlOf(request, window.location.origin)).join('\n');
  return (
    <Popover width={420} position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs">
          As curl
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Requests of this page">
        <Stack gap="xs">
          <Text size="sm">What this page shows, with your token in TOKEN:</Text>
          <Code block tabIndex={0}>
            {text}
          </Code>
          <Group>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button size="xs" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
