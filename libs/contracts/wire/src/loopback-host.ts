/** This machine, by name or by address; the brackets are the URL's own. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @param hostname as `URL` gives it: lower case, addresses in their one spelling, IPv6 in brackets */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);
