/** As package.json says it; a spec compares the two. */
export const CLI_VERSION = '1.0.0';
