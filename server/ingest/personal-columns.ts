import { plainName } from './layouts/layout.ts'

/** Columns about a person, by their usual names: blanked in previews, where the mapping is not known yet. */
const personal =
  /birth|gender|^sex$|^age$|account|user(id|name)|rider(id|name)|customer(id|name)|member(id|name|number)|mail|phone|address|passport|licen[cs]enumber|(first|last|full|middle|sur)name|^name$/

/** Places of the header's personal columns. */
export const personalColumns = (header: readonly string[]): number[] =>
  header.flatMap((name, at) => (personal.test(plainName(name)) ? [at] : []))

const blanked = '(not shown)'

/** A row of a preview without personal fields; of a row with more or fewer fields than the header nothing is left where the header has such columns. */
export function withoutPersonal(
  fields: readonly string[] | null,
  places: readonly number[],
  width: number,
): string[] {
  if (places.length && fields?.length !== width) return [blanked]
  return (fields ?? []).map((field, at) => (places.includes(at) && field !== '' ? blanked : field))
}

/**
 * Makes of a row what may be stored of it when it is set aside: the columns that are read, and no other. Of a row with more or
 * fewer fields than the header nothing is left, because nobody knows which field is which.
 */
export function retainedFields(
  header: readonly string[],
  columns: readonly string[],
): (fields: readonly string[] | null) => Record<string, string> {
  const places = header.flatMap((name, at) => (columns.includes(name) ? [{ name, at }] : []))
  return (fields) =>
    fields?.length === header.length
      ? Object.fromEntries(places.map(({ name, at }) => [name, fields[at] ?? '']))
      : {}
}
