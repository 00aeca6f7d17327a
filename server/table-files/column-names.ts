/** A normalized column name without case, spaces and punctuation: `Start_Latitude` and `start latitude` are the same. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Usual names of columns with personal data: blanked in previews before the mapping is known. */
const personal =
  /birth|gender|^sex$|^age$|account|user(id|name)|rider(id|name)|customer(id|name)|member(id|name|number)|mail|phone|address|passport|licen[cs]enumber|(first|last|full|middle|sur)name|^name$/

/** Positions of the header's personal columns. */
export const personalColumns = (header: readonly string[]): number[] =>
  header.flatMap((name, at) => (personal.test(plainName(name)) ? [at] : []))

const blanked = '(not shown)'

/** A row of a preview without personal fields. If the row has more or fewer fields than a header with such columns, it is blanked completely. */
export function withoutPersonal(
  fields: readonly string[] | null,
  places: readonly number[],
  width: number,
): string[] {
  if (places.length && fields?.length !== width) return [blanked]
  return (fields ?? []).map((field, at) => (places.includes(at) && field !== '' ? blanked : field))
}

/**
 * Returns what may be stored of a rejected row: the columns that are read, and no others. Nothing if the row has more or fewer fields than
 * the header, because the columns are unknown then.
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
