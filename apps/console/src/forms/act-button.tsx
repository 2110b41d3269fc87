import type { ButtonHTMLAttributes } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  type: 'button' | 'submit';
  /** Whether what it has begun goes on. */
  isBusy: boolean;
}

/**
 * A button for what takes a while. Meanwhile it does nothing and keeps the focus: a disabled one loses it, so that a person at the
 * keyboard would begin at the top of the page after each act.
 */
export function ActButton({ isBusy, type, className = 'button', onClick, ...others }: Props) {
  return (
    <button
      {...others}
      type={type}
      className={className}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
