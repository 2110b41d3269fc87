import { useEffect, useRef } from 'react';

/**
 * Back from the review, the focus is at the amount: the button that was pressed is gone.
 *
 * @returns for what has the form in it
 */
export function useBackToForm(isReviewed: boolean) {
  const form = useRef<HTMLDivElement>(null);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !isReviewed) form.current?.querySelector<HTMLInputElement>('[name=amount]')?.focus();
    was.current = isReviewed;
  }, [isReviewed]);
  return form;
}
