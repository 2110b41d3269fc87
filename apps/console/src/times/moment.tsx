import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { bothZones, formatTime, localZone, type TimeStyle, utcText, type Zone } from './times';

const KEY = 'console-time-zone';
const ZoneContext = createContext<{ zone: Zone; choose: (zone: Zone) => void }>({
  zone: 'local',
  choose: () => undefined,
});

export function ZoneProvider({ children }: { children: ReactNode }) {
  const [zone, setZone] = useState<Zone>(() => (localStorage.getItem(KEY) === 'UTC' ? 'UTC' : 'local'));
  const value = useMemo(() => {
    const choose = (chosen: Zone) => {
      localStorage.setItem(KEY, chosen);
      setZone(chosen);
    };
    return { zone, choose };
  }, [zone]);
  return <ZoneContext value={value}>{children}</ZoneContext>;
}

/** The zone in which the person reads and writes times. */
export const useZone = (): Zone => useContext(ZoneContext).zone;

export function Moment({ at, style = 'minute' }: { at: string; style?: TimeStyle }) {
  const { zone } = useContext(ZoneContext);
  return (
    <time dateTime={at} title={bothZones(at)}>
      {formatTime(at, style, zone)}
    </time>
  );
}

/** A moment whose second zone is read without a pointer. */
export function FullMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="full-moment">
      {formatTime(at, 'second', 'local')} <span className="quiet">{utcText(at)}</span>
    </time>
  );
}

export function ZoneSwitch() {
  const { zone, choose } = useContext(ZoneContext);
  return (
    <label className="switch">
      <span>Times in</span>
      <select value={zone} onChange={({ target }) => choose(target.value === 'UTC' ? 'UTC' : 'local')}>
        <option value="local">{localZone()}</option>
        <option value="UTC">UTC</option>
      </select>
    </label>
  );
}
