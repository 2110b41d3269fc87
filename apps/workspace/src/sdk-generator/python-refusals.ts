import { docstring, GENERATED, INDENT, listed, quoted } from './python-text';
import { SdkModel } from './sdk-model';

/** refusals.py: one class for each code. */
export function pythonRefusals({ errors }: SdkModel): string {
  const names = errors.map(({ className }) => quoted(className)).sort();
  const classes = errors.map(
    ({ className, status, code, message }) =>
      `\nclass ${className}(StablecoinApiError):\n${docstring([`${status} \`\`${code}\`\`: ${message}`], INDENT)}`,
  );
  const entries = errors.map(({ code, className }) => `${quoted(code)}: ${className}`);
  return [
    GENERATED,
    '"""One class for each code that the service refuses with: a closed set."""\n',
    'from __future__ import annotations\n',
    'from typing import Final\n',
    'from .errors import StablecoinApiError\n',
    `${listed('__all__ = [', names, ']')}\n`,
    ...classes,
    `\n${listed('REFUSALS: Final[dict[str, type[StablecoinApiError]]] = {', entries, '}')}\n`,
  ].join('\n');
}
