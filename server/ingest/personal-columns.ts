import { plainName } from './layouts/layout.ts'

/** Columns about the rider: never stored, not even with set-aside rows. */
const personal = /birth|gender|^sex$|account|userid|riderid|customerid|memberid|membernumber|email|phone|passport|licen[cs]enumber|firstname|lastname|fullname|^name$/

/** Places of the header's personal columns. */
export const personalColumns = (header: readonly string[]): number[] => header.flatMap((name, at) => (personal.test(plainName(name)) ? [at] : []))

const notKept = '(not kept)'

/** A row without what is personal; of a row whose columns cannot be told apart nothing stays where the header has such columns. `width`: how many the header has. */
export function withoutPersonal(fields: readonly string[] | null, places: readonly number[], width: number): string[] {
  if (places.length && fields?.length !== width) return [notKept]
  return (fields ?? []).map((field, at) => (places.includes(at) && field !== '' ? notKept : field))
}
