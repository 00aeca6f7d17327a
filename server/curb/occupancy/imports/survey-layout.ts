import { dayFromNumber } from '#contract/period.ts'
import { toNumber } from '../../imports/checks/values.ts'
import {
  FilePlaces,
  type Fields,
  type LayoutContext,
  type LayoutReader,
  numberIn,
  valueIn,
} from './layout-reader.ts'
import { instantsOf, orderOf, readDay } from './local-time.ts'

const hourMs = 3_600_000
/** Reads that say that a space is out of service: it leaves the capacity. */
const closedWords =
  /\b(block(ed)?|construction|closed|no parking|not available|unavailable|out of service|cone[sd]?|dumpster|bagged|work ?zone|obstruct(ed|ion)|tow(ed|[ -]?away)?|reserved for work)\b/i
const unknownWords = /^(\?+|unknown|not (counted|read|surveyed|visible)|missed|no read|no data)$/i
const vacantWords = /^(vacant|empty|free|open|available|no|none|n|v|e|0)$/i

/**
 * Surveys with a column per time of day. A row is a space: what is written in it is the vehicle, which is not stored, an empty field is
 * a vacant space. If the file has a number of spaces by row, the fields are numbers of vehicles.
 */
export function surveyLayout({ columns, options, clock, sample, sink }: LayoutContext): LayoutReader {
  const places = new FilePlaces(columns)
  const reads = columns.reads
  const cells = sample.flatMap((fields) => reads.map(({ column }) => fields[column] ?? ''))
  const filled = cells.filter(Boolean)
  const isCount =
    columns.columns.spaces !== undefined &&
    filled.length > 0 &&
    filled.every((text) => toNumber(text) !== null || closedWords.test(text) || unknownWords.test(text))
  // Marks of vacant spaces are words only if few different ones are used; plates may look like them.
  const hasWords = new Set(filled.map((text) => text.toLowerCase())).size <= 12
  const order = orderOf(sample.map((fields) => valueIn(fields, columns, 'date')))
  const chosen = options.date === undefined ? null : Date.parse(options.date) / 86_400_000
  return {
    add({ row, fields }) {
      const place = places.of(fields)
      const source = textOf(fields)
      if (!place) return sink.refuse(row, 'missing_place', 'The row names no place.', source)
      const text = valueIn(fields, columns, 'date').split(/[T ]/)[0] ?? ''
      const day = columns.columns.date === undefined ? chosen : readDay(text, order)
      if (day === null) return sink.refuse(row, 'bad_time', 'The row has no readable date.', source)
      const spaces = isCount ? numberIn(fields, columns, 'spaces') : 1
      if (spaces === null || spaces < 0)
        return sink.refuse(row, 'bad_value', 'The row has no number of spaces.', source)
      if (spaces === 0) return sink.refuse(row, 'no_capacity', 'The capacity is 0.', source)
      const [first] = reads
      const begin = instantsOf({ day, seconds: first?.seconds ?? 0 }, clock)[0]
      if (begin !== undefined && sink.isAhead(begin))
        return sink.refuse(row, 'ahead', `The survey of ${dayFromNumber(day)} lies ahead.`, source)
      sink.accept(place)
      for (const { column, seconds } of reads) {
        const [at] = instantsOf({ day, seconds }, clock)
        if (at === undefined) {
          sink.note(row, 'time_skipped', `The local clock never showed ${column} on this day.`, source)
          continue
        }
        const read = readOf(fields[column] ?? '', spaces)
        if (read === null) {
          sink.note(row, 'bad_value', `The read of ${column} is no number; it is unknown.`, source)
          continue
        }
        // Spaces of one row each are added up by the times of their reads.
        sink.add(place, at, at + hourMs, { ...read, spaces: isCount ? spaces : 0, isShare: false })
      }
    },
  }

  function readOf(
    text: string,
    spaces: number,
  ): { occupied: number; known: number; unknown: number; closed: number } | null {
    if (unknownWords.test(text)) return { occupied: 0, known: 0, unknown: spaces, closed: 0 }
    if (closedWords.test(text)) return { occupied: 0, known: 0, unknown: 0, closed: spaces }
    if (isCount) {
      const count = text === '' ? null : toNumber(text)
      // A blank where vehicles are counted was not counted.
      if (text === '') return { occupied: 0, known: 0, unknown: spaces, closed: 0 }
      return count === null || count < 0 ? null : { occupied: count, known: spaces, unknown: 0, closed: 0 }
    }
    const isVacant = text === '' || (hasWords && vacantWords.test(text))
    return { occupied: isVacant ? 0 : 1, known: 1, unknown: 0, closed: 0 }
  }

  /** A row without what was read, which may be parts of plates. */
  function textOf(fields: Fields): string {
    const names = new Set(reads.map(({ column }) => column))
    return Object.entries(fields)
      .filter(([name]) => !names.has(name))
      .map(([, value]) => value)
      .join(',')
  }
}
