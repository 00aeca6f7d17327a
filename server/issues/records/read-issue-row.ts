import type { IssueReport } from '../issue-report.ts'
import { plainText, withoutContacts } from '#server/table-files/plain-text.ts'
import { isPlausibleTime, readMoment } from '#server/table-files/read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import type { IssueColumns, IssueMeaning } from './issue-columns.ts'
import type { IssueStatus } from '#contract/issues.ts'

const open = /\b(un|not\s|non[- ]?|re-?|in)(resolved|completed?|closed|finished|opened)\b|\bre-?open/i
const closed =
  /clos|resolv|complet|\bdone\b|finish|cancel|duplicat|archiv|invalid|no action|not found|rejected|fixed|abandoned|transferred out|cerrad|resuelt|conclu|ferm[ée]|r[ée]sol|abgeschlossen|erledigt|geschlossen|afgehandeld|chius|risolt|conclu[ií]d/i

/** Whether a status in a city's words means closed. `DUPLICATE (OPENED)` does: the request continues under another number. */
export const statusOf = (text: string): IssueStatus =>
  !open.test(text) && closed.test(text) ? 'closed' : 'open'

export interface IssueReading {
  columns: IssueColumns
  clock: CivilClock
  /** The order of dates in a column, by its position. */
  orderAt: (place: number) => DateOrder
}

/** A row that is not an issue, and why. */
export interface NoIssue {
  reason: FileReason
  detail: string
}

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)

/** `POINT (-83 40)` and `(40, -83)`. */
function pointOf(text: string): { lat: string; lon: string } | null {
  const wkt = /POINT\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)/i.exec(text)
  if (wkt) return { lon: wkt[1] as string, lat: wkt[2] as string }
  const pair = /^\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)$/.exec(text)
  return pair ? { lat: pair[1] as string, lon: pair[2] as string } : null
}

/** Creates a reader of rows of a list of 311 requests. Only known columns are read: no names, mails or telephone numbers. */
export function issueRowReader({
  columns,
  clock,
  orderAt,
}: IssueReading): (fields: readonly string[]) => IssueReport | NoIssue {
  /** The first column of a meaning with a value. */
  const foundIn = (fields: readonly string[], meaning: IssueMeaning): { text: string; place: number } => {
    for (const place of columns[meaning]) {
      const text = plainText(fields[place], 5000)
      if (text !== '' && !/^(null|n\/?a|unclassified|nan|none)$/i.test(text)) return { text, place }
    }
    return { text: '', place: -1 }
  }
  const textOf = (fields: readonly string[], meaning: IssueMeaning): string => foundIn(fields, meaning).text
  /** Null if empty; the text if invalid. */
  const timeOf = (fields: readonly string[], meaning: IssueMeaning): number | null | string => {
    const { text, place } = foundIn(fields, meaning)
    return text === '' ? null : (readMoment(text, orderAt(place), clock) ?? text)
  }
  const placeOf = (fields: readonly string[]): { lat: number | null; lon: number | null } | NoIssue => {
    const point = pointOf(textOf(fields, 'point'))
    const [latFound, lonFound] = [foundIn(fields, 'lat'), foundIn(fields, 'lon')]
    const texts = { lat: latFound.text || (point?.lat ?? ''), lon: lonFound.text || (point?.lon ?? '') }
    if (texts.lat === '' || texts.lon === '') return { lat: null, lon: null }
    const [lat, lon] = [readNumber(texts.lat), readNumber(texts.lon)]
    const detail = `${texts.lat}, ${texts.lon}`.slice(0, 300)
    if (Number.isNaN(lat) || Number.isNaN(lon)) return { reason: 'bad_coordinate', detail }
    // Zeros mean an unknown place.
    if (lat === 0 && lon === 0) return { lat: null, lon: null }
    if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return { lat, lon }
    // Columns named x and y may hold feet or meters of a state plane instead of degrees.
    const isPlane = columns.plane.includes(latFound.place) && columns.plane.includes(lonFound.place)
    return isPlane ? { lat: null, lon: null } : { reason: 'outside_earth', detail }
  }
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return { reason: 'empty_row', detail: '' }
    const issueId = textOf(fields, 'id').slice(0, 200)
    if (issueId === '') return { reason: 'no_issue_id', detail: '' }
    const times = {
      requested: timeOf(fields, 'requested'),
      closed: timeOf(fields, 'closed'),
      updated: timeOf(fields, 'updated'),
      statusTime: timeOf(fields, 'statusTime'),
    }
    const { requested, closed: closedColumn, updated, statusTime } = times
    if (requested === null) return { reason: 'no_requested_time', detail: '' }
    if (typeof requested === 'string')
      return { reason: 'bad_requested_time', detail: requested.slice(0, 300) }
    if (typeof closedColumn === 'string')
      return { reason: 'bad_closed_time', detail: closedColumn.slice(0, 300) }
    if (typeof updated === 'string' || typeof statusTime === 'string')
      return {
        reason: 'bad_updated_time',
        detail: String(typeof updated === 'string' ? updated : statusTime).slice(0, 300),
      }
    const unlikely = [requested, closedColumn, updated, statusTime].find(
      (ms) => ms !== null && !isPlausibleTime(ms),
    )
    if (unlikely !== undefined) return { reason: 'time_outside', detail: String(unlikely) }
    const place = placeOf(fields)
    if ('reason' in place) return place
    const sourceStatus = textOf(fields, 'status').slice(0, 200)
    const status = sourceStatus === '' ? (closedColumn === null ? 'open' : 'closed') : statusOf(sourceStatus)
    const name = textOf(fields, 'serviceName').slice(0, 200)
    const code = textOf(fields, 'serviceCode').slice(0, 200) || slug(name)
    const description = textOf(fields, 'description')
    const address = textOf(fields, 'address').slice(0, 300)
    const districts = Object.fromEntries(
      columns.districts
        .map(({ name: of, place: at }) => [of, plainText(fields[at], 120)] as const)
        .filter(([, text]) => text !== ''),
    )
    return {
      issueId,
      serviceCode: code || 'other',
      serviceName: name || code || 'Other',
      description: description === name ? '' : withoutContacts(description),
      status,
      sourceStatus: sourceStatus || status,
      requested,
      updated,
      closed: status === 'closed' ? (closedColumn ?? statusTime) : null,
      address: address && !pointOf(address) ? address : null,
      ...place,
      districts,
    }
  }
}
