import type { Fields } from '../fields.ts'

/** The charge of MDS 1.2 from 0 to 1, in percent; NaN if missing. */
export const readBattery = (fields: Fields, key: string): number =>
  Math.round(fields.numberIfAny(key, 0, 1) * 10_000) / 100
