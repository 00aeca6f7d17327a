import { dayFromNumber, dayMs, hourMs } from '#contract/period.ts'
import { toNumber } from '../../imports/checks/values.ts'
import type { CountedSpaces } from './count-sink.ts'
import type { FileColumns } from './file-columns.ts'
import {
  FilePlaces,
  type Fields,
  type LayoutContext,
  type LayoutReader,
  readNumber,
  readText,
  removeTime,
} from './layout-reader.ts'
import { getInstants, detectDayOrder, readDay } from './local-time.ts'

/** Words for spaces that are out of service and do not count toward the capacity. */
const closedWords =
  /\b(block(ed)?|construction|closed|no parking|not available|unavailable|out of service|cone[sd]?|dumpster|bagged|work ?zone|obstruct(ed|ion)|tow(ed|[ -]?away)?|reserved for work)\b/i
const unknownWords = /^(\?+|unknown|not (counted|read|surveyed|visible)|missed|no read|no data)$/i
const vacantWords = /^(vacant|empty|free|open|available|no|none|n|v|e|0)$/i

/**
 * Reads surveys with a column per time of day. Each row is a space: a field contains the vehicle, which is
 * not stored, or is empty if the space is vacant. If the file has a column with numbers of spaces, each row
 * is a place and the fields are numbers of vehicles.
 */
export function createSurveyReader(context: LayoutContext): LayoutReader {
  const { columns, options, clock, sample, sink } = context
  const { timeColumns } = columns
  const places = new FilePlaces(columns)
  const format = detectFormat(context)
  const order = detectDayOrder(sample.map((fields) => readText(fields, columns, 'date')))
  const chosenDay = options.date === undefined ? null : Date.parse(options.date) / dayMs
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      const source = removePlates(fields, timeColumns)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', source)
      const dateText = removeTime(readText(fields, columns, 'date'))
      const day = columns.columns.date === undefined ? chosenDay : readDay(dateText, order)
      if (day === null) return sink.reject(row, 'bad_time', 'The row has no readable date.', source)
      const spaces = format.isCount ? readNumber(fields, columns, 'spaces') : 1
      if (spaces === null || spaces < 0)
        return sink.reject(row, 'bad_value', 'The row has no number of spaces.', source)
      if (spaces === 0) return sink.reject(row, 'no_capacity', 'The capacity is 0.', source)
      const [begin] = getInstants({ day, seconds: timeColumns[0]?.seconds ?? 0 }, clock)
      if (begin !== undefined && sink.isInFuture(begin))
        return sink.reject(row, 'ahead', `The survey of ${dayFromNumber(day)} lies ahead.`, source)
      sink.accept(place)
      for (const { column, seconds } of timeColumns) {
        const [start] = getInstants({ day, seconds }, clock)
        if (start === undefined) {
          sink.warn(row, 'time_skipped', `The local clock never showed ${column} on this day.`, source)
          continue
        }
        const spacesOfField = readField(fields[column] ?? '', spaces, format)
        if (spacesOfField === null) {
          sink.warn(row, 'bad_value', `The read of ${column} is no number; it is unknown.`, source)
          continue
        }
        // Rows of single spaces have no capacity of their own: their known spaces are added up.
        sink.add(place, start, start + hourMs, {
          ...spacesOfField,
          spaces: format.isCount ? spaces : 0,
          isShare: false,
        })
      }
    },
  }
}

/** What the fields of a survey contain. */
interface FieldFormat {
  /** Whether they are numbers of vehicles; otherwise each is a vehicle. */
  isCount: boolean
  /** Whether words such as "no" mean vacant. Otherwise they may be plates. */
  hasWords: boolean
}

function detectFormat({ columns, sample }: LayoutContext): FieldFormat {
  const cells = sample.flatMap((fields) => columns.timeColumns.map(({ column }) => fields[column] ?? ''))
  const filledCells = cells.filter(Boolean)
  return {
    isCount:
      columns.columns.spaces !== undefined &&
      filledCells.length > 0 &&
      filledCells.every(
        (text) => toNumber(text) !== null || closedWords.test(text) || unknownWords.test(text),
      ),
    // Files with words have few different texts, files with plates many.
    hasWords: new Set(filledCells.map((text) => text.toLowerCase())).size <= 12,
  }
}

/** Reads the spaces of a field by their state; null if it contains no number but should. */
function readField(
  text: string,
  spaces: number,
  { isCount, hasWords }: FieldFormat,
): Pick<CountedSpaces, 'occupied' | 'known' | 'unknown' | 'closed'> | null {
  if (unknownWords.test(text)) return { occupied: 0, known: 0, unknown: spaces, closed: 0 }
  if (closedWords.test(text)) return { occupied: 0, known: 0, unknown: 0, closed: spaces }
  if (isCount) {
    // An empty field means that vehicles were not counted at this time.
    if (text === '') return { occupied: 0, known: 0, unknown: spaces, closed: 0 }
    const count = toNumber(text)
    return count === null || count < 0 ? null : { occupied: count, known: spaces, unknown: 0, closed: 0 }
  }
  const isVacant = text === '' || (hasWords && vacantWords.test(text))
  return { occupied: isVacant ? 0 : 1, known: 1, unknown: 0, closed: 0 }
}

/** Returns the text of a row without the fields that may contain parts of plates. */
function removePlates(fields: Fields, timeColumns: FileColumns['timeColumns']): string {
  const names = new Set(timeColumns.map(({ column }) => column))
  return Object.entries(fields)
    .filter(([name]) => !names.has(name))
    .map(([, value]) => value)
    .join(',')
}
