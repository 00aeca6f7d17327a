import { metersPerMile } from '#contract/units.ts'
import type { SnapshotRow } from '#server/live/snapshots/store-snapshot.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import { plainText } from '#server/table-files/plain-text.ts'
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
  /** Ms since 1970. */
  at: number
  row: SnapshotRow
}

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
const firstTime = Date.UTC(2001, 8, 10)

const reject = (reason: FileReason, detail = ''): RejectedVehicle => ({
  reason,
  detail: detail.slice(0, 300),
})

/** Creates a function that reads the rows of a list of vehicles. */
export function createSnapshotReader({
  columns,
  orderAt,
  clock,
  at: fileTime,
  operator: defaultOperator,
}: SnapshotReaderOptions): (fields: readonly string[]) => FileVehicle | RejectedVehicle {
  const getText = (fields: readonly string[], column: number): string =>
    column < 0 ? '' : plainText(fields[column], 300)
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return reject('empty_row')
    const vehicleId = getText(fields, columns.vehicle)
    if (vehicleId === '') return reject('no_vehicle_id')
    const company = getText(fields, columns.operator)
    const operator =
      company === ''
        ? defaultOperator
        : company
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, '-')
            .replace(/^-+|-+$/g, '')
            .slice(0, 60)
    if (operator === '') return reject('bad_operator', company)
    const [latText, lonText] = [getText(fields, columns.lat), getText(fields, columns.lon)]
    if (latText === '' || lonText === '') return reject('no_place')
    const [lat, lon] = [readNumber(latText), readNumber(lonText)]
    if (Number.isNaN(lat) || Number.isNaN(lon)) return reject('bad_coordinate', `${latText}, ${lonText}`)
    if (!isOnEarth(lon, lat) || (lat === 0 && lon === 0))
      return reject('outside_earth', `${latText}, ${lonText}`)
    const figures: Partial<Record<keyof SnapshotColumns, number>> = {}
    for (const name of ['battery', 'share', 'miles', 'km', 'meters'] as const) {
      const text = getText(fields, columns[name]).replace(/%$/, '')
      const value = readNumber(text)
      if (text !== '' && Number.isNaN(value)) return reject('bad_figure', `${name}: ${text}`)
      if (value < 0 || (name === 'battery' && value > 100) || (name === 'share' && value > 1))
        return reject('impossible_figure', `${name}: ${text}`)
      figures[name] = value
    }
    const {
      battery = Number.NaN,
      share = Number.NaN,
      miles = Number.NaN,
      km = Number.NaN,
      meters = Number.NaN,
    } = figures
    const flagTexts = [
      getText(fields, columns.available),
      getText(fields, columns.reserved),
      getText(fields, columns.disabled),
    ].map((text) => text.toLowerCase())
    const invalidFlag = flagTexts.find((text) => !Object.hasOwn(flagValues, text))
    if (invalidFlag !== undefined) return reject('bad_flag', invalidFlag)
    const [isAvailable = null, isReserved = null, isDisabled = null] = flagTexts.map(
      (text) => flagValues[text] ?? null,
    )
    // Empty and zero mean unknown (NaN); an invalid text is returned as it is.
    const times = [columns.reported, Number.isNaN(fileTime) ? columns.time : -1].map((column) => {
      const text = getText(fields, column)
      return text === '' || /^0+(\.0+)?$/.test(text)
        ? Number.NaN
        : (readMoment(text, orderAt(column), clock) ?? text)
    })
    const [reported = Number.NaN, rowTime = Number.NaN] = times
    if (typeof reported === 'string' || typeof rowTime === 'string')
      return reject('bad_updated_time', String(typeof reported === 'string' ? reported : rowTime))
    const at = Number.isNaN(fileTime) ? rowTime : fileTime
    if (!isPlausibleTime(at) || at < firstTime)
      return reject('time_outside', Number.isNaN(at) ? '' : String(at))
    const typeText = getText(fields, columns.type)
    return {
      operator,
      at,
      row: {
        vehicleId,
        vehicleType: typeText === '' ? 'other' : readVehicleType(typeText),
        lon,
        lat,
        battery: Number.isNaN(battery) ? share * 100 : battery,
        range: Number.isNaN(meters) ? (Number.isNaN(km) ? miles * metersPerMile : km * 1000) : meters,
        isAvailable,
        isReserved,
        isDisabled,
        lastReported: reported >= firstTime && isPlausibleTime(reported) ? reported : Number.NaN,
      },
    }
  }
}
