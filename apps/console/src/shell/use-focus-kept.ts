import { useEffect, useRef } from 'react';

/**
 * Where a row goes away with the focus in it, the heading has the focus: a keyboard would begin at the top of the page.
 *
 * @param rows how many are shown
 * @returns for the heading, which has `tabIndex` -1
 */
export function useFocusKept(rows: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(rows);
  useEffect(() => {
    if (rows < before.current && document.activeElement === document.body) heading.current?.focus();
    before.current = rows;
  }, [rows]);
  return heading;
}
