import type { IssueReport } from '../issue-report.ts'
import { plainText, withoutContacts } from '#server/table-files/plain-text.ts'
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

/**
 * Reads a status in a city's words. `DUPLICATE (OPENED)` is closed: the request continues under another
 * number.
 */
export const readStatus = (text: string): IssueStatus =>
  !openPattern.test(text) && closedPattern.test(text) ? 'closed' : 'open'

export interface IssueReading {
  columns: IssueColumns
  clock: CivilClock
  /** The order of day and month in the column with this index. */
  orderAt: (index: number) => DateOrder
}

/** Why a row is not an issue. */
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

/** Reads `POINT (-83 40)`, longitude first, and `(40, -83)`, latitude first. */
function readPoint(text: string): { lat: string; lon: string } | null {
  const wkt = /POINT\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)/i.exec(text)
  if (wkt) return { lon: wkt[1] as string, lat: wkt[2] as string }
  const pair = /^\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)$/.exec(text)
  return pair ? { lat: pair[1] as string, lon: pair[2] as string } : null
}

/**
 * Creates a reader of rows of 311 requests. It reads known columns only: no names, email addresses or
 * telephone numbers.
 */
export function issueRowReader({
  columns,
  clock,
  orderAt,
}: IssueReading): (fields: readonly string[]) => IssueReport | NoIssue {
  /** The first column of a meaning with a value; index -1 if there is none. */
  const findField = (fields: readonly string[], meaning: IssueMeaning): { text: string; index: number } => {
    for (const index of columns[meaning]) {
      const text = plainText(fields[index], 5000)
      if (text !== '' && !/^(null|n\/?a|unclassified|nan|none)$/i.test(text)) return { text, index }
    }
    return { text: '', index: -1 }
  }
  const readText = (fields: readonly string[], meaning: IssueMeaning): string =>
    findField(fields, meaning).text
  /** Ms since 1970. Null if the field is empty, its text if it is not a time. */
  const readTime = (fields: readonly string[], meaning: IssueMeaning): number | null | string => {
    const { text, index } = findField(fields, meaning)
    return text === '' ? null : (readMoment(text, orderAt(index), clock) ?? text)
  }
  const readPlace = (fields: readonly string[]): { lat: number | null; lon: number | null } | NoIssue => {
    const point = readPoint(readText(fields, 'point'))
    const [latFound, lonFound] = [findField(fields, 'lat'), findField(fields, 'lon')]
    const texts = { lat: latFound.text || (point?.lat ?? ''), lon: lonFound.text || (point?.lon ?? '') }
    if (texts.lat === '' || texts.lon === '') return { lat: null, lon: null }
    const [lat, lon] = [readNumber(texts.lat), readNumber(texts.lon)]
    const detail = `${texts.lat}, ${texts.lon}`.slice(0, 300)
    if (Number.isNaN(lat) || Number.isNaN(lon)) return { reason: 'bad_coordinate', detail }
    // Zeros stand for an unknown place.
    if (lat === 0 && lon === 0) return { lat: null, lon: null }
    if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return { lat, lon }
    // Columns named x and y may contain feet or meters of a state plane instead of degrees.
    const isPlane = columns.plane.includes(latFound.index) && columns.plane.includes(lonFound.index)
    return isPlane ? { lat: null, lon: null } : { reason: 'outside_earth', detail }
  }
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return { reason: 'empty_row', detail: '' }
    const issueId = readText(fields, 'id').slice(0, 200)
    if (issueId === '') return { reason: 'no_issue_id', detail: '' }
    const times = {
      requested: readTime(fields, 'requested'),
      closed: readTime(fields, 'closed'),
      updated: readTime(fields, 'updated'),
      statusTime: readTime(fields, 'statusTime'),
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
    const place = readPlace(fields)
    if ('reason' in place) return place
    const sourceStatus = readText(fields, 'status').slice(0, 200)
    const status =
      sourceStatus === '' ? (closedColumn === null ? 'open' : 'closed') : readStatus(sourceStatus)
    const name = readText(fields, 'serviceName').slice(0, 200)
    const code = readText(fields, 'serviceCode').slice(0, 200) || slug(name)
    const description = readText(fields, 'description')
    const address = readText(fields, 'address').slice(0, 300)
    const districts = Object.fromEntries(
      columns.districts
        .map(({ name: districtName, index }) => [districtName, plainText(fields[index], 120)] as const)
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
      address: address && !readPoint(address) ? address : null,
      ...place,
      districts,
    }
  }
}
