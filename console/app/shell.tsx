import { AppShell, Burger, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useMayOperate, useSession } from '../session/session.js';
import { Brand } from '../ui/brand.js';
import { DialingStopped } from './dialing-stopped.js';
import { Leaving } from './leaving.js';
import { navigation } from './navigation.js';
import { Own } from './own.js';
import classes from './shell.module.css';

/** What stands first in the navigation, under no heading. */
const unnamed = 'Batch calls';
const sectionOf = (entry: (typeof navigation)[number]): string => ('section' in entry ? entry.section : unnamed);

/** What all pages stand in: the bar, the navigation, and where the page begins. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const session = useSession();
  const mayOperate = useMayOperate();
  const entries = navigation.filter((entry) => mayOperate || !('operates' in entry));
  const names = [...new Set(entries.map(sectionOf))];
  const sections = names.map((name) => ({ name, of: entries.filter((entry) => sectionOf(entry) === name) }));
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <AppShell.Header className={classes.bar ?? ''}>
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
            aria-expanded={opened}
          />
          <UnstyledButton component={Link} to="/" aria-label="Outdial: overview" className={classes.home ?? ''}>
            <Brand />
          </UnstyledButton>
        </Group>
        {session.kind === 'open' && <Own name={session.accountName} mayOperate={session.mayOperate} />}
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        aria-label="Pages"
        className={classes.pages ?? ''}
        {...(opened ? {} : { 'data-closed': true })}
      >
        {sections.map(({ name, of }) => (
          <div key={name} role="group" aria-label={name}>
            {name !== unnamed && <div className={classes.section}>{name}</div>}
            {of.map(({ to, label, exact }) => (
              <Link
                key={to}
                to={to}
                className={classes.link}
                activeProps={{ className: classes.active, 'aria-current': 'page' }}
                activeOptions={{ exact }}
                onClick={close}
              >
                {label}
              </Link>
            ))}
          </div>
        ))}
        <a className={`${classes.link ?? ''} ${classes.last ?? ''}`} href="/docs/">
          API reference
        </a>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main ?? ''}>
        <div className={classes.width}>
          <DialingStopped />
          <Leaving />
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
