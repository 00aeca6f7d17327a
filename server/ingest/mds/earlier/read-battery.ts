import type { Fields } from '../fields.ts'

/** The charge that MDS 1.2 tells from 0 to 1, in percent; NaN where it is not told. */
export const readBattery = (fields: Fields, key: string): number =>
  Math.round(fields.numberIfAny(key, 0, 1) * 10_000) / 100
