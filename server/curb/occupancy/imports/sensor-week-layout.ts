import { hourMs, dayMs } from '#contract/period.ts'
import { createSpacesReader, type RowValues } from './hourly-layout.ts'
import {
  type Fields,
  FilePlaces,
  type LayoutContext,
  type LayoutReader,
  readNumber,
  readHour,
  joinRow,
  SeenTimes,
  readText,
} from './layout-reader.ts'

/** First letters of the names of weekdays, from Monday. */
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Reads averages by weekday and hour. They are stored in the week of a day that the user chooses. */
export function createSensorWeekReader(context: LayoutContext): LayoutReader {
  const { columns, sink, clock, options } = context
  const places = new FilePlaces(columns)
  const readWeekday = createWeekdayReader(context)
  const hasParts = columns.columns.occupied_part !== undefined
  const readValues = hasParts ? createPartsReader(context) : createSpacesReader(context)
  const seenTimes = new SeenTimes(hourMs)
  const chosenDay = Date.parse(options.date ?? '1970-01-01') / dayMs
  // 1970-01-01 was a Thursday, so day 0 is 3 days after a Monday.
  const monday = chosenDay - ((((chosenDay + 3) % 7) + 7) % 7)
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', joinRow(fields))
      const weekday = readWeekday(readText(fields, columns, 'weekday'))
      const seconds = readHour(readText(fields, columns, 'clock'))
      if (weekday === null || seconds === null)
        return sink.reject(row, 'bad_time', 'The row has no readable weekday and hour.', joinRow(fields))
      const { ms: start } = clock.instant(monday + weekday, seconds)
      const values = readValues(fields)
      if ('code' in values) return sink.reject(row, values.code, values.message, joinRow(fields))
      if (!seenTimes.add(place.key, start))
        return sink.reject(
          row,
          'duplicate',
          'An earlier row has the same place, weekday and hour. Only the earlier row is counted.',
          joinRow(fields),
        )
      sink.accept(place)
      sink.add(place, start, start + hourMs, values)
    },
  }
}

/** Creates a reader of occupied, vacant and unknown parts of an hour, from 0 to 1 or in percent. */
function createPartsReader({ columns, sample }: LayoutContext): (fields: Fields) => RowValues {
  const read = (fields: Fields, column: 'occupied_part' | 'vacant_part' | 'unknown_part' | 'spaces') =>
    readNumber(fields, columns, column)
  // Rounded parts may exceed 1 slightly, so only larger ones are percentages.
  const fullHour = sample.some((fields) => (read(fields, 'occupied_part') ?? 0) > 1.5) ? 100 : 1
  return (fields) => {
    const occupied = read(fields, 'occupied_part')
    const vacant = read(fields, 'vacant_part') ?? 0
    const unknown = read(fields, 'unknown_part') ?? 0
    const spaces = read(fields, 'spaces') ?? 0
    if (occupied === null)
      return {
        code: 'bad_value',
        message: 'The row has no occupancy. It is treated as unknown, not as vacant.',
      }
    if (Math.min(occupied, vacant, unknown, spaces) < 0)
      return { code: 'negative', message: 'A number is below 0.' }
    if (spaces === 0 && columns.columns.spaces !== undefined)
      return { code: 'no_capacity', message: 'The row has no spaces: capacity 0.' }
    const factor = (spaces || 1) / fullHour
    return {
      occupied: occupied * factor,
      known: (occupied + vacant) * factor,
      unknown: unknown * factor,
      closed: 0,
      spaces,
      isShare: spaces === 0,
    }
  }
}

/**
 * Returns a function that reads a weekday, Monday as 0; null if the text is not a weekday. Numbers may count
 * from 0 or 1, and from Monday or Sunday: from Sunday if the first day has clearly the fewest operated spaces
 * in the sample.
 */
function createWeekdayReader({ columns, sample }: LayoutContext): (text: string) => number | null {
  const findName = (text: string): number => dayNames.indexOf(text.trim().slice(0, 3).toLowerCase())
  const spotsByNumber = new Map<number, number>()
  for (const fields of sample) {
    const number = readNumber(fields, columns, 'weekday')
    if (number === null) continue
    const spots = readNumber(fields, columns, 'operated_spots') ?? 0
    spotsByNumber.set(number, (spotsByNumber.get(number) ?? 0) + spots)
  }
  const firstNumber = spotsByNumber.has(0) ? 0 : 1
  const [fewest, secondFewest] = [...spotsByNumber]
    .map(([number, spots]) => ({ number, spots }))
    .toSorted((a, b) => a.spots - b.spots)
  const isSundayFirst =
    fewest !== undefined &&
    secondFewest !== undefined &&
    fewest.spots < secondFewest.spots * 0.8 &&
    fewest.number === firstNumber &&
    spotsByNumber.size > 5
  return (text) => {
    const namedDay = findName(text)
    if (namedDay >= 0) return namedDay
    const day = /^\d+(\.0*)?$/.test(text) ? Number(text) - firstNumber : -1
    if (day < 0 || day > 6) return null
    return isSundayFirst ? (day + 6) % 7 : day
  }
}
