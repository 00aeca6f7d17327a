import {
  FilePlaces,
  type LayoutContext,
  type LayoutReader,
  readNumber,
  readHour,
  rowText,
  SeenTimes,
  readText,
} from './layout-reader.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** First letters of the names of weekdays, from Monday. */
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Reads averages by weekday and hour. They are stored in the week of a day that the user chooses. */
export function sensorWeekLayout(context: LayoutContext): LayoutReader {
  const { columns, sink, clock, options } = context
  const places = new FilePlaces(columns)
  const readWeekday = createWeekdayReader(context)
  const seen = new SeenTimes(hourMs)
  const chosenDay = Date.parse(options.date ?? '1970-01-01') / dayMs
  // 1970-01-01 was a Thursday, so day 0 is 3 days after a Monday.
  const monday = chosenDay - ((((chosenDay + 3) % 7) + 7) % 7)
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', rowText(fields))
      const weekday = readWeekday(readText(fields, columns, 'weekday'))
      const seconds = readHour(readText(fields, columns, 'clock'))
      if (weekday === null || seconds === null)
        return sink.reject(row, 'bad_time', 'The row has no readable weekday and hour.', rowText(fields))
      const { ms: start } = clock.instant(monday + weekday, seconds)
      const isShare = columns.columns.occupied_part === undefined
      const getPart = (column: 'occupied_part' | 'vacant_part' | 'unknown_part'): number =>
        readNumber(fields, columns, column) ?? 0
      const occupied = isShare
        ? readNumber(fields, columns, 'share')
        : readNumber(fields, columns, 'occupied_part')
      const spaces = readNumber(fields, columns, 'spaces') ?? 0
      if (occupied === null)
        return sink.reject(
          row,
          'bad_value',
          'The row has no occupancy: unknown, not vacant.',
          rowText(fields),
        )
      if (Math.min(occupied, getPart('vacant_part'), getPart('unknown_part'), spaces) < 0)
        return sink.reject(row, 'negative', 'A number is below 0.', rowText(fields))
      if (spaces === 0 && columns.columns.spaces !== undefined)
        return sink.reject(row, 'no_capacity', 'The row has no spaces: capacity 0.', rowText(fields))
      if (!seen.add(place.key, start))
        return sink.reject(
          row,
          'duplicate',
          'An earlier row has the same place, weekday and hour; that one counts.',
          rowText(fields),
        )
      const known = isShare ? 1 : occupied + getPart('vacant_part')
      const capacity = spaces || 1
      sink.accept(place)
      sink.add(place, start, start + hourMs, {
        occupied: occupied * capacity,
        known: known * capacity,
        unknown: isShare ? 0 : getPart('unknown_part') * capacity,
        closed: 0,
        spaces,
        isShare: spaces === 0,
      })
    },
  }
}

/**
 * Returns a function that reads a weekday, Monday as 0; null if the text is none. Numbers may count from 0 or
 * 1, and from Monday or Sunday: from Sunday if the first day has clearly the fewest operated spaces in the
 * sample.
 */
function createWeekdayReader({ columns, sample }: LayoutContext): (text: string) => number | null {
  const findName = (text: string): number => dayNames.indexOf(text.trim().slice(0, 3).toLowerCase())
  const spotsByNumber = new Map<number, number>()
  for (const fields of sample) {
    const number = readNumber(fields, columns, 'weekday')
    if (number !== null)
      spotsByNumber.set(
        number,
        (spotsByNumber.get(number) ?? 0) + (readNumber(fields, columns, 'operated_spots') ?? 0),
      )
  }
  const start = spotsByNumber.has(0) ? 0 : 1
  const [fewest, next] = [...spotsByNumber]
    .map(([number, spots]) => ({ number, spots }))
    .toSorted((a, b) => a.spots - b.spots)
  const isSundayFirst =
    fewest !== undefined &&
    next !== undefined &&
    fewest.spots < next.spots * 0.8 &&
    fewest.number === start &&
    spotsByNumber.size > 5
  return (text) => {
    const day = findName(text)
    if (day >= 0) return day
    const number = /^\d+(\.0*)?$/.test(text) ? Number(text) - start : -1
    if (number < 0 || number > 6) return null
    return isSundayFirst ? (number + 6) % 7 : number
  }
}
