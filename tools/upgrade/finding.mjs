import { Refusal } from '../stack/terminal.mjs';

/** The upgrade did not go as the handbook says; every other refusal says why it could not be tried. */
export class Finding extends Refusal {}
