/** As package.json says it; a spec compares the two. */
export const SERVER_VERSION = '1.0.0';
