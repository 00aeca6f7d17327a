import type { Fields } from '../fields.ts'

/** Reads a charge of MDS 1.2, which is from 0 to 1. Returns percent with two decimals; NaN if missing. */
export const readBattery = (fields: Fields, key: string): number =>
  Math.round(fields.optionalNumber(key, 0, 1) * 10_000) / 100
