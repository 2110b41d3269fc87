/** What each field means, and an example where neither its type nor its choices give one. */
export const GLOSSARY: Readonly<Record<string, readonly [says: string, example?: unknown]>> = {};
