// A file of its own, to be loaded at first use: importing these packages themselves dynamically would give, once bundled, a
// module with nothing but a default export.
import formats from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { _ as ajvCode, Ajv } from 'ajv';

/** Plain Node sees the CommonJS module itself, a bundle what it calls its default. */
export const addFormats = 'default' in formats ? (formats['default'] as typeof formats) : formats;
export { Ajv, Ajv2019, Ajv2020, ajvCode };
