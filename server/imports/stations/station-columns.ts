import { plainName } from '#server/table-files/column-names.ts'

const thing = '(station|dock|hub|kiosk|terminal)?'
const spellings = {
  id: [new RegExp(`^${thing}(id|number|num|no|code|shortname|terminalname)$`), /^station$/, /^terminal$/],
  name: [new RegExp(`^${thing}(name|title)$`), /^station$/],
  lat: [new RegExp(`^${thing}(lat|latitude|y)$`)],
  lon: [new RegExp(`^${thing}(lon|lng|long|longitude|x)$`)],
}

/** Positions of the columns of a table of stations; null where it has no places, or neither ids nor names. */
export function stationColumns(
  header: readonly string[],
): { id: number; name: number; lat: number; lon: number } | null {
  const plain = header.map(plainName)
  const find = (patterns: readonly RegExp[], taken: readonly number[] = []): number => {
    for (const pattern of patterns) {
      const at = plain.findIndex((name, index) => pattern.test(name) && !taken.includes(index))
      if (at >= 0) return at
    }
    return -1
  }
  const name = find(spellings.name)
  const id = find(spellings.id, [name])
  const [lat, lon] = [find(spellings.lat), find(spellings.lon)]
  return lat < 0 || lon < 0 || (id < 0 && name < 0) ? null : { id, name, lat, lon }
}
