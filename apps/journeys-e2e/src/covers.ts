import type { Section } from './sections';

/**
 * Says which sections of the interface the describe around it tests, or the whole file where it stands outside of one.
 * docs/COVERAGE.md is made of these calls by reading the specs; running one does nothing.
 */
export const covers = (...sections: readonly Section[]): readonly Section[] => sections;
