import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

const secondsUntil = (time: string) => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / SECOND_MS));

/** Until then, counted down; 0 when it is over. */
export function useSecondsLeft(time: string): number {
  const [left, setLeft] = useState(() => secondsUntil(time));
  useEffect(() => {
    setLeft(secondsUntil(time));
    const timer = setInterval(() => setLeft(secondsUntil(time)), SECOND_MS);
    return () => clearInterval(timer);
  }, [time]);
  return left;
}

/** `2:05` */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
