import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where apps/ and libs/ are: dist/ when this runs from the build, the checkout itself in a spec. */
export const CODE = join(__dirname, '../../../..');
const load = createRequire(__filename);

/**
 * A module by its path in the checkout, without ending, loaded at run time: what is written down about a service is made by
 * the service's own code, and apps import no apps. `Module` says what the caller expects of it.
 */
export function checkoutModule<Module>(path: string): Module {
  return load(join(CODE, path)) as Module;
}
