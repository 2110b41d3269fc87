/** As package.json has it. */
export const SDK_VERSION = '1.0.0';
