/** Normalizes a column name: `Start_Latitude` and `start latitude` both become `startlatitude`. */
export const toPlainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Usual names of columns with personal data, which previews must not show. */
const personalNames =
  /birth|gender|^sex$|^age$|account|user(id|name)|rider(id|name)|customer(id|name)|member(id|name|number)|mail|phone|address|passport|licen[cs]enumber|(first|last|full|middle|sur)name|^name$/

/** Returns the indices of columns with personal data. */
export const personalColumns = (header: readonly string[]): number[] =>
  header.flatMap((name, index) => (personalNames.test(toPlainName(name)) ? [index] : []))

const placeholder = '(not shown)'

/**
 * Hides the personal fields of a row. If there are personal columns and the row does not have `width` fields,
 * it is unknown which fields are personal, so all of them are hidden.
 */
export function hidePersonal(
  fields: readonly string[] | null,
  personalIndices: readonly number[],
  width: number,
): string[] {
  if (personalIndices.length && fields?.length !== width) return [placeholder]
  return (fields ?? []).map((field, index) =>
    personalIndices.includes(index) && field !== '' ? placeholder : field,
  )
}

/**
 * Returns a function that selects the fields of a rejected row that may be stored: only those of the given
 * columns. None if the row has more or fewer fields than the header, because it is unknown then which columns
 * they belong to.
 */
export function retainedFields(
  header: readonly string[],
  columns: readonly string[],
): (fields: readonly string[] | null) => Record<string, string> {
  const selected = header.flatMap((name, index) => (columns.includes(name) ? [{ name, index }] : []))
  return (fields) =>
    fields?.length === header.length
      ? Object.fromEntries(selected.map(({ name, index }) => [name, fields[index] ?? '']))
      : {}
}
