import { useEffect, useRef } from 'react';

/**
 * Where a row goes away with the focus in it, the heading has the focus: a keyboard would begin at the top of the page. Where the focus
 * was in no row that is gone, the page stays as it is: it would move under the hand of a person who reads.
 *
 * @param rows how many are shown
 * @returns for the heading, which has `tabIndex` -1
 */
export function useFocusKept(rows: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(rows);
  const focused = useFocused();
  useEffect(() => {
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body;
    if (rows < before.current && isLost) heading.current?.focus();
    before.current = rows;
  }, [rows, focused]);
  return heading;
}

/** What has the focus, or had it when it was taken from the page. */
function useFocused() {
  const focused = useRef<Element>(null);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    document.addEventListener('focusin', ({ target }) => (focused.current = target as Element), { signal });
    // Some browsers say so of what is about to be removed too: whether it was is known afterwards.
    const left = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (focused.current === target && focused.current?.isConnected && document.activeElement !== target)
          focused.current = null;
      });
    document.addEventListener('focusout', left, { signal });
    return () => stopping.abort();
  }, []);
  return focused;
}
