// The same code as `require` gives, not a second copy: `instanceof` holds in a program that has both.
export * from '../cjs/index.js';
