/** The frame of every screen: navigation at the side, on a phone behind a button. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Session } from '../api/client';
import { changesOf, followChanges } from '../live/live';
import { ROLE_WORDS } from '../session/roles';
import { sessionQuestion } from '../session/questions';
import { ZoneSwitch } from '../times/moment';
import { Icon } from '../shell/icon';
import { navigationFor } from '../shell/navigation';
import { applyTheme, chosenTheme, type Theme } from '../shell/theme';

export function Shell() {
  const { data: session } = useQuery(sessionQuestion);
  const drawer = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useArrival(path, drawer, main);
  const client = useQueryClient();
  const changes = session && changesOf(session);
  useEffect(() => (changes === undefined ? undefined : followChanges(client, changes)), [client, changes]);
  if (session === undefined) return null;
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <button
          type="button"
          className="button plain"
          aria-haspopup="dialog"
          onClick={() => drawer.current?.showModal()}
        >
          <Icon name="menu" />
          <span className="visually-hidden">Menu</span>
        </button>
        <Owner session={session} />
      </header>
      <aside className="sidebar">
        <Navigation session={session} label="Main" />
      </aside>
      <dialog className="drawer" ref={drawer} aria-label="Menu">
        <button type="button" className="button plain" onClick={() => drawer.current?.close()}>
          <Icon name="close" />
          <span className="visually-hidden">Close menu</span>
        </button>
        <Navigation session={session} label="Menu" />
      </dialog>
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** On a new screen the drawer is shut, and the keyboard and a screen reader go on at its beginning. */
function useArrival(path: string, drawer: RefObject<HTMLDialogElement | null>, main: RefObject<HTMLElement | null>) {
  const before = useRef(path);
  useEffect(() => {
    drawer.current?.close();
    if (before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path, drawer, main]);
}

function Owner({ session: { merchant, side } }: { session: Session }) {
  return (
    <p className="owner">
      <span className="owner-mark" aria-hidden="true">
        {(merchant?.name ?? 'O').charAt(0).toUpperCase()}
      </span>
      <span className="owner-name">{merchant?.name ?? (side === 'operator' ? 'Operator' : 'Console')}</span>
      {merchant?.mode === 'test' ? <span className="badge neutral">Test</span> : null}
    </p>
  );
}

function Navigation({ session, label }: { session: Session; label: string }) {
  return (
    <>
      <Owner session={session} />
      <nav aria-label={label}>
        <ul>
          {navigationFor(session).map(({ to, label: text, icon }) => (
            <li key={to}>
              <Link to={to} search={{}} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="preferences">
        <ThemeSwitch />
        <ZoneSwitch />
        <p className="person">
          {session.person.name}
          <span className="quiet">{ROLE_WORDS[session.role]}</span>
        </p>
      </div>
    </>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: Theme) => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <label className="switch">
      <span>Theme</span>
      <select value={theme} onChange={({ target }) => choose(target.value as Theme)}>
        <option value="system">As the system</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
