import { toPlainName } from '#server/table-files/column-names.ts'

/** Words that may precede the name of a column. */
const prefix = '(station|dock|hub|kiosk|terminal)?'
/** Patterns of normalized column names, in the order in which they are tried. */
const namePatterns = {
  id: [new RegExp(`^${prefix}(id|number|num|no|code|shortname|terminalname)$`), /^station$/, /^terminal$/],
  name: [new RegExp(`^${prefix}(name|title)$`), /^station$/],
  lat: [new RegExp(`^${prefix}(lat|latitude|y)$`)],
  lon: [new RegExp(`^${prefix}(lon|lng|long|longitude|x)$`)],
}

/** Finds the columns of a table of stations; null if it has no coordinates, or neither ids nor names. */
export function findStationColumns(
  header: readonly string[],
): { id: number; name: number; lat: number; lon: number } | null {
  const plainHeader = header.map(toPlainName)
  const findColumn = (patterns: readonly RegExp[], excluded: readonly number[] = []): number => {
    for (const pattern of patterns) {
      const column = plainHeader.findIndex((name, index) => pattern.test(name) && !excluded.includes(index))
      if (column >= 0) return column
    }
    return -1
  }
  const name = findColumn(namePatterns.name)
  const id = findColumn(namePatterns.id, [name])
  const lat = findColumn(namePatterns.lat)
  const lon = findColumn(namePatterns.lon)
  return lat < 0 || lon < 0 || (id < 0 && name < 0) ? null : { id, name, lat, lon }
}
