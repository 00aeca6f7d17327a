/** Normalizes a column name: `Start_Latitude` and `start latitude` both become `startlatitude`. */
export const toPlainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Usual names of columns with personal data, which previews must not show. */
const personalNamePattern =
  /birth|gender|^sex$|^age$|account|user(id|name)|rider(id|name)|customer(id|name)|member(id|name|number)|mail|phone|address|passport|licen[cs]enumber|(first|last|full|middle|sur)name|^name$/

/** Returns the indices of columns with personal data. */
export const findPersonalColumns = (header: readonly string[]): number[] =>
  header.flatMap((name, index) => (personalNamePattern.test(toPlainName(name)) ? [index] : []))

const hiddenPlaceholder = '(not shown)'

/** Hides personal fields of a row; all fields if their number is not `width` and some are personal. */
export function hidePersonal(
  fields: readonly string[] | null,
  personalIndices: readonly number[],
  width: number,
): string[] {
  if (personalIndices.length && fields?.length !== width) return [hiddenPlaceholder]
  return (fields ?? []).map((field, index) =>
    personalIndices.includes(index) && field !== '' ? hiddenPlaceholder : field,
  )
}

/**
 * Returns a function that selects the fields of a rejected row that may be stored: only those of the given
 * columns. None if the row has more or fewer fields than the header, because it is unknown then which columns
 * they belong to.
 */
export function createFieldSelector(
  header: readonly string[],
  columns: readonly string[],
): (fields: readonly string[] | null) => Record<string, string> {
  const selectedColumns = header.flatMap((name, index) => (columns.includes(name) ? [{ name, index }] : []))
  return (fields) =>
    fields?.length === header.length
      ? Object.fromEntries(selectedColumns.map(({ name, index }) => [name, fields[index] ?? '']))
      : {}
}
