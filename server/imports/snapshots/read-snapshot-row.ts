import { metersPerMile } from '#contract/units.ts'
import type { SnapshotRow } from '#server/live/snapshots/store-snapshot.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'
import { plainText } from '#server/table-files/plain-text.ts'
import { isOnEarth } from '#server/regions/region-reach.ts'
import { isLikely, readMoment } from '#server/table-files/read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import { readVehicleType } from '#server/fleet/read-vehicle-type.ts'
import type { SnapshotColumns } from './snapshot-columns.ts'

/** A vehicle of a file, with its operator and the moment of its snapshot. */
export interface PlacedVehicle {
  operator: string
  /** Ms since 1970. */
  at: number
  row: SnapshotRow
}

export interface NoVehicle {
  reason: FileReason
  detail: string
}

interface Reading {
  columns: SnapshotColumns
  /** The order of dates in a column, by its position. */
  orderAt: (place: number) => DateOrder
  clock: CivilClock
  /** The time of the whole file, ms; NaN if rows have their own. */
  at: number
  /** The operator of rows without one. */
  operator: string
}

const flags: Readonly<Record<string, boolean | null>> = {
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
/** Earlier times mean none. */
const firstTime = Date.UTC(2001, 8, 10)

const aside = (reason: FileReason, detail = ''): NoVehicle => ({ reason, detail: detail.slice(0, 300) })

/** Creates a reader of rows of a list of vehicles. */
export function snapshotRowReader({
  columns,
  orderAt,
  clock,
  at: fileTime,
  operator: defaultOperator,
}: Reading): (fields: readonly string[]) => PlacedVehicle | NoVehicle {
  const textOf = (fields: readonly string[], place: number): string =>
    place < 0 ? '' : plainText(fields[place], 300)
  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return aside('empty_row')
    const vehicleId = textOf(fields, columns.vehicle)
    if (vehicleId === '') return aside('no_vehicle_id')
    const company = textOf(fields, columns.operator)
    const operator =
      company === ''
        ? defaultOperator
        : company
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, '-')
            .replace(/^-+|-+$/g, '')
            .slice(0, 60)
    if (operator === '') return aside('bad_operator', company)
    const [latText, lonText] = [textOf(fields, columns.lat), textOf(fields, columns.lon)]
    if (latText === '' || lonText === '') return aside('no_place')
    const [lat, lon] = [readNumber(latText), readNumber(lonText)]
    if (Number.isNaN(lat) || Number.isNaN(lon)) return aside('bad_coordinate', `${latText}, ${lonText}`)
    if (!isOnEarth(lon, lat) || (lat === 0 && lon === 0))
      return aside('outside_earth', `${latText}, ${lonText}`)
    const figures: Partial<Record<keyof SnapshotColumns, number>> = {}
    for (const name of ['battery', 'share', 'miles', 'km', 'meters'] as const) {
      const text = textOf(fields, columns[name]).replace(/%$/, '')
      const value = readNumber(text)
      if (text !== '' && Number.isNaN(value)) return aside('bad_figure', `${name}: ${text}`)
      if (value < 0 || (name === 'battery' && value > 100) || (name === 'share' && value > 1))
        return aside('impossible_figure', `${name}: ${text}`)
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
      textOf(fields, columns.available),
      textOf(fields, columns.reserved),
      textOf(fields, columns.disabled),
    ].map((text) => text.toLowerCase())
    const bad = flagTexts.find((text) => !Object.hasOwn(flags, text))
    if (bad !== undefined) return aside('bad_flag', bad)
    const [isAvailable = null, isReserved = null, isDisabled = null] = flagTexts.map(
      (text) => flags[text] ?? null,
    )
    const times = [columns.reported, Number.isNaN(fileTime) ? columns.time : -1].map((place) => {
      const text = textOf(fields, place)
      return text === '' || /^0+(\.0+)?$/.test(text)
        ? Number.NaN
        : (readMoment(text, orderAt(place), clock) ?? text)
    })
    const [reported = Number.NaN, own = Number.NaN] = times
    if (typeof reported === 'string' || typeof own === 'string')
      return aside('bad_updated_time', String(typeof reported === 'string' ? reported : own))
    const at = Number.isNaN(fileTime) ? own : fileTime
    if (!isLikely(at) || at < firstTime) return aside('time_outside', Number.isNaN(at) ? '' : String(at))
    const typeText = textOf(fields, columns.type)
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
        lastReported: reported >= firstTime && isLikely(reported) ? reported : Number.NaN,
      },
    }
  }
}
