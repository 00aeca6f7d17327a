import { metersPerMile } from '#contract/units.ts'
import type { SnapshotRow } from '#server/live/snapshots/store-snapshot.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import { toPlainText } from '#server/table-files/plain-text.ts'
import { isOnEarth } from '#server/regions/region-reach.ts'
import { isPlausibleTime, readMoment } from '#server/table-files/read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import { readVehicleType } from '#server/fleet/read-vehicle-type.ts'
import type { SnapshotColumns } from './snapshot-columns.ts'

/** A vehicle of a file with its operator and the time of its snapshot. */
export interface FileVehicle {
  operator: string
  /** Milliseconds since 1970. */
  at: number
  row: SnapshotRow
}

/** Why a row is rejected. */
export interface RejectedVehicle {
  reason: FileReason
  detail: string
}

interface SnapshotReaderOptions {
  columns: SnapshotColumns
  /** Finds the order of dates of a column by its index. */
  orderAt: (column: number) => DateOrder
  clock: CivilClock
  /** The time of the file, ms; NaN if each row has its own. */
  at: number
  /** The operator of rows without one. */
  operator: string
}

/** The meaning of yes/no values; null means unknown. */
const flagValues: Readonly<Record<string, boolean | null>> = {
  '': null,
  true: true,
  t: true,
  yes: true,
  y: true,
  '1': true,
  false: false,
  f: false,
  no: false,
  n: false,
  '0': false,
}
/** Earlier times are treated as missing: seconds since 1970 have ten digits since then. */
const minTimeMs = Date.UTC(2001, 8, 10)
/** The maximum length of texts, in characters; longer ones are truncated. */
const maxTextLength = 300

const reject = (reason: FileReason, detail = ''): RejectedVehicle => ({
  reason,
  detail: detail.slice(0, maxTextLength),
})

/** Creates a function that reads the rows of a list of vehicles. */
export function createSnapshotReader(
  options: SnapshotReaderOptions,
): (fields: readonly string[]) => FileVehicle | RejectedVehicle {
  const { columns } = options
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return reject('empty_row')
    const getText: GetText = (column) =>
      columns[column] < 0 ? '' : toPlainText(fields[columns[column]], maxTextLength)
    const vehicleId = getText('vehicle')
    if (vehicleId === '') return reject('no_vehicle_id')
    const company = getText('operator')
    const operator = company === '' ? options.operator : toSlug(company)
    if (operator === '') return reject('bad_operator', company)
    const place = readPlace(getText)
    if ('reason' in place) return place
    const figures = readFigures(getText)
    if ('reason' in figures) return figures
    const flags = readFlags(getText)
    if ('reason' in flags) return flags
    const times = readTimes(getText, options)
    if ('reason' in times) return times
    const typeText = getText('type')
    return {
      operator,
      at: times.at,
      row: {
        vehicleId,
        vehicleType: typeText === '' ? 'other' : readVehicleType(typeText),
        ...place,
        ...figures,
        ...flags,
        lastReported: times.lastReported,
      },
    }
  }
}

/** The text of a column of the row; '' if the file does not have it. */
type GetText = (column: keyof SnapshotColumns) => string

const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

function readPlace(getText: GetText): { lon: number; lat: number } | RejectedVehicle {
  const latText = getText('lat')
  const lonText = getText('lon')
  if (latText === '' || lonText === '') return reject('no_place')
  const lat = readNumber(latText)
  const lon = readNumber(lonText)
  if (Number.isNaN(lat) || Number.isNaN(lon)) return reject('bad_coordinate', `${latText}, ${lonText}`)
  if (!isOnEarth(lon, lat) || (lat === 0 && lon === 0))
    return reject('outside_earth', `${latText}, ${lonText}`)
  return { lon, lat }
}

const figureColumns = ['battery', 'share', 'miles', 'km', 'meters'] as const

/** Reads the battery (converted to percent) and the range (converted to meters); NaN if unknown. */
function readFigures(getText: GetText): { battery: number; range: number } | RejectedVehicle {
  const figures = { battery: NaN, share: NaN, miles: NaN, km: NaN, meters: NaN }
  for (const name of figureColumns) {
    const text = getText(name).replace(/%$/, '')
    const value = readNumber(text)
    if (text !== '' && Number.isNaN(value)) return reject('bad_figure', `${name}: ${text}`)
    if (value < 0 || (name === 'battery' && value > 100) || (name === 'share' && value > 1))
      return reject('impossible_figure', `${name}: ${text}`)
    figures[name] = value
  }
  const { battery, share, miles, km, meters } = figures
  const rangeByUnit = [meters, km * 1000, miles * metersPerMile]
  return {
    battery: Number.isNaN(battery) ? share * 100 : battery,
    range: rangeByUnit.find((range) => !Number.isNaN(range)) ?? Number.NaN,
  }
}

type Flags = Record<'isAvailable' | 'isReserved' | 'isDisabled', boolean | null>

function readFlags(getText: GetText): Flags | RejectedVehicle {
  const flagTexts = [getText('available'), getText('reserved'), getText('disabled')].map((text) =>
    text.toLowerCase(),
  )
  const invalidFlag = flagTexts.find((text) => !Object.hasOwn(flagValues, text))
  if (invalidFlag !== undefined) return reject('bad_flag', invalidFlag)
  const [isAvailable = null, isReserved = null, isDisabled = null] = flagTexts.map(
    (text) => flagValues[text] ?? null,
  )
  return { isAvailable, isReserved, isDisabled }
}

/** Reads the time of the snapshot and of the vehicle's last report, ms; the latter is NaN if unknown. */
function readTimes(
  getText: GetText,
  { columns, orderAt, clock, at: fileTime }: SnapshotReaderOptions,
): { at: number; lastReported: number } | RejectedVehicle {
  /** Empty and zero mean unknown (NaN); an invalid text is returned as it is. */
  const readTime = (column: 'reported' | 'time'): number | string => {
    const text = getText(column)
    if (text === '' || /^0+(\.0+)?$/.test(text)) return Number.NaN
    return readMoment(text, orderAt(columns[column]), clock) ?? text
  }
  const reportedTime = readTime('reported')
  const at = Number.isNaN(fileTime) ? readTime('time') : fileTime
  if (typeof reportedTime === 'string') return reject('bad_updated_time', reportedTime)
  if (typeof at === 'string') return reject('bad_updated_time', at)
  if (!isPlausibleTime(at) || at < minTimeMs)
    return reject('time_outside', Number.isNaN(at) ? '' : String(at))
  const isReportedTimeValid = reportedTime >= minTimeMs && isPlausibleTime(reportedTime)
  return { at, lastReported: isReportedTimeValid ? reportedTime : Number.NaN }
}
