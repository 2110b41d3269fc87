import { type ReactNode, type SubmitEvent, useId, useRef } from 'react';
import { ActButton } from './act-button';
import { formText } from './form-text';

interface Props {
  /** On the button that opens it. */
  what: string;
  /** Where several stand on a page: which one it is. */
  label?: string;
  title: string;
  /** What comes of it. */
  note: ReactNode;
  /** On the field. */
  asks?: string;
  /** On the button that does it. */
  confirm: string;
  isDanger?: boolean;
  isBusy: boolean;
  /** What has to be typed before it is done. */
  typed?: { what: string; expected: string };
  /** Fields beside the reason. */
  fields?: ReactNode;
  /** @param done empties the form, for when it was done: what was refused is not typed again */
  act: (reason: string, done: () => void, form: HTMLFormElement) => void;
}

const REASON_MAX = 200;
const ASKS = 'Reason, such as the number of a case';

/** Asks why before something is done that stands on the record. */
export function ReasonDialog({
  what,
  label,
  title,
  note,
  asks = ASKS,
  confirm,
  isDanger = false,
  isBusy,
  typed,
  fields,
  act,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const tone = isDanger ? 'button danger' : 'button primary';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    act(formText(form, 'reason'), () => form.reset(), form);
    dialog.current?.close();
  };
  return (
    <>
      <ActButton
        type="button"
        className={isDanger ? 'button danger' : 'button'}
        aria-label={label}
        isBusy={isBusy}
        onClick={() => dialog.current?.showModal()}
      >
        {what}
      </ActButton>
      <dialog ref={dialog} className="modal" aria-labelledby={heading}>
        <form className="stack" onSubmit={submit}>
          <h2 id={heading}>{title}</h2>
          <p className="quiet">{note}</p>
          {fields}
          <label className="field">
            <span>{asks}</span>
            <input name="reason" type="text" required maxLength={REASON_MAX} autoComplete="off" />
          </label>
          {typed === undefined ? null : (
            <label className="field">
              <span>{typed.what}</span>
              <input name="typed" type="text" required pattern={typed.expected} autoComplete="off" spellCheck={false} />
            </label>
          )}
          <div className="actions">
            <button type="submit" className={tone}>
              {confirm}
            </button>
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Leave it
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
