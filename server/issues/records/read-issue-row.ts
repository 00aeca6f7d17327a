import type { IssueReport } from '../issue-report.ts'
import { toPlainText, removeContacts } from '#server/table-files/plain-text.ts'
import { isPlausibleTime, readMoment } from '#server/table-files/read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import type { IssueColumns, IssueMeaning } from './issue-columns.ts'
import type { IssueStatus } from '#contract/issues.ts'

const openPattern = /\b(un|not\s|non[- ]?|re-?|in)(resolved|completed?|closed|finished|opened)\b|\bre-?open/i
const closedPattern =
  /clos|resolv|complet|\bdone\b|finish|cancel|duplicat|archiv|invalid|no action|not found|rejected|fixed|abandoned|transferred out|cerrad|resuelt|conclu|ferm[ée]|r[ée]sol|abgeschlossen|erledigt|geschlossen|afgehandeld|chius|risolt|conclu[ií]d/i

/** Reads a status in a city's words. `DUPLICATE (OPENED)` is closed: the request has another number. */
export const readStatus = (text: string): IssueStatus =>
  !openPattern.test(text) && closedPattern.test(text) ? 'closed' : 'open'

/** How the rows of a list are read. */
export interface IssueReading {
  columns: IssueColumns
  clock: CivilClock
  /** Returns the order of day and month in the column with this index. */
  orderAt: (index: number) => DateOrder
}

/** Why a row is not an issue. */
export interface NoIssue {
  reason: FileReason
  detail: string
}

/** Converts a service name to a code: `Street Light Out` becomes `street-light-out`. */
const toServiceCode = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)

/** Reads `POINT (-83 40)`, longitude first, and `(40, -83)`, latitude first. */
function readPoint(text: string): { lat: string; lon: string } | null {
  const wkt = /POINT\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)/i.exec(text)
  if (wkt) return { lon: wkt[1] as string, lat: wkt[2] as string }
  const pair = /^\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)$/.exec(text)
  return pair ? { lat: pair[1] as string, lon: pair[2] as string } : null
}

/** Creates a reader of rows. It reads known columns only: no names, email addresses or phone numbers. */
export const createIssueRowReader =
  (reading: IssueReading) =>
  (fields: readonly string[]): IssueReport | NoIssue =>
    fields.every((field) => field.trim() === '')
      ? { reason: 'empty_row', detail: '' }
      : readIssue(new IssueRow(fields, reading))

const maxTextLength = 5000
/** Values that some sources write into empty fields. */
const placeholderPattern = /^(null|n\/?a|unclassified|nan|none)$/i

/** The fields of a row by their meaning. */
class IssueRow {
  readonly #fields: readonly string[]
  readonly #reading: IssueReading

  constructor(fields: readonly string[], reading: IssueReading) {
    this.#fields = fields
    this.#reading = reading
  }

  /** Returns the first column of a meaning with a value; index -1 if there is none. */
  find(meaning: IssueMeaning): { text: string; index: number } {
    for (const index of this.#reading.columns[meaning]) {
      const text = toPlainText(this.#fields[index], maxTextLength)
      if (text !== '' && !placeholderPattern.test(text)) return { text, index }
    }
    return { text: '', index: -1 }
  }

  getText(meaning: IssueMeaning, maxLength?: number): string {
    return this.find(meaning).text.slice(0, maxLength)
  }

  /** Reads a time as ms since 1970; null if the field is empty, or its text if it is not a time. */
  readTime(meaning: IssueMeaning): number | null | string {
    const { orderAt, clock } = this.#reading
    const { text, index } = this.find(meaning)
    return text === '' ? null : (readMoment(text, orderAt(index), clock) ?? text)
  }

  /** Returns whether a column may contain coordinates of a state plane instead of degrees. */
  isPlane(index: number): boolean {
    return this.#reading.columns.plane.includes(index)
  }

  /** Returns the names of the districts in the row by kind of district. */
  getDistricts(): Record<string, string> {
    return Object.fromEntries(
      this.#reading.columns.districts
        .map(({ name, index }) => [name, toPlainText(this.#fields[index], 120)] as const)
        .filter(([, text]) => text !== ''),
    )
  }
}

function readIssue(row: IssueRow): IssueReport | NoIssue {
  const issueId = row.getText('id', 200)
  if (issueId === '') return { reason: 'no_issue_id', detail: '' }
  const times = readTimes(row)
  if ('reason' in times) return times
  const place = readPlace(row)
  if ('reason' in place) return place
  const sourceStatus = row.getText('status', 200)
  const statusByTime = times.closed === null ? 'open' : 'closed'
  const status = sourceStatus === '' ? statusByTime : readStatus(sourceStatus)
  const name = row.getText('serviceName', 200)
  const code = row.getText('serviceCode', 200) || toServiceCode(name)
  const description = row.getText('description')
  const address = row.getText('address', 300)
  return {
    issueId,
    serviceCode: code || 'other',
    serviceName: name || code || 'Other',
    description: description === name ? '' : removeContacts(description),
    status,
    sourceStatus: sourceStatus || status,
    requested: times.requested,
    updated: times.updated,
    closed: status === 'closed' ? (times.closed ?? times.statusTime) : null,
    address: address && !readPoint(address) ? address : null,
    ...place,
    districts: row.getDistricts(),
  }
}

/** The times of an issue, ms since 1970; null if unknown. */
interface IssueTimes {
  requested: number
  closed: number | null
  updated: number | null
  statusTime: number | null
}

function readTimes(row: IssueRow): IssueTimes | NoIssue {
  const requested = row.readTime('requested')
  const closed = row.readTime('closed')
  const updated = row.readTime('updated')
  const statusTime = row.readTime('statusTime')
  if (requested === null) return { reason: 'no_requested_time', detail: '' }
  if (typeof requested === 'string') return { reason: 'bad_requested_time', detail: requested.slice(0, 300) }
  if (typeof closed === 'string') return { reason: 'bad_closed_time', detail: closed.slice(0, 300) }
  if (typeof updated === 'string') return { reason: 'bad_updated_time', detail: updated.slice(0, 300) }
  if (typeof statusTime === 'string') return { reason: 'bad_updated_time', detail: statusTime.slice(0, 300) }
  const implausibleTime = [requested, closed, updated, statusTime].find(
    (ms) => ms !== null && !isPlausibleTime(ms),
  )
  if (implausibleTime !== undefined) return { reason: 'time_outside', detail: String(implausibleTime) }
  return { requested, closed, updated, statusTime }
}

/** Reads the place of an issue, in degrees; null if it is unknown. */
function readPlace(row: IssueRow): { lat: number | null; lon: number | null } | NoIssue {
  const point = readPoint(row.getText('point'))
  const latField = row.find('lat')
  const lonField = row.find('lon')
  const texts = { lat: latField.text || (point?.lat ?? ''), lon: lonField.text || (point?.lon ?? '') }
  if (texts.lat === '' || texts.lon === '') return { lat: null, lon: null }
  const lat = readNumber(texts.lat)
  const lon = readNumber(texts.lon)
  const detail = `${texts.lat}, ${texts.lon}`.slice(0, 300)
  if (Number.isNaN(lat) || Number.isNaN(lon)) return { reason: 'bad_coordinate', detail }
  // Zeros stand for an unknown place.
  if (lat === 0 && lon === 0) return { lat: null, lon: null }
  if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return { lat, lon }
  // Columns named x and y may contain feet or meters of a state plane instead of degrees.
  const isPlane = row.isPlane(latField.index) && row.isPlane(lonField.index)
  return isPlane ? { lat: null, lon: null } : { reason: 'outside_earth', detail }
}
