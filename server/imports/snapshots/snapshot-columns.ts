import { plainName } from '#server/table-files/column-names.ts'

const names = {
  operator: ['company', 'operator', 'provider', 'providername', 'vendor', 'systemname'],
  vehicle: ['vehicleid', 'bikeid', 'scooterid', 'deviceid', 'id'],
  type: ['type', 'vehicletype', 'formfactor'],
  lat: ['latitude', 'lat'],
  lon: ['longitude', 'lon', 'lng', 'long'],
  battery: ['batterypct', 'batterypercent', 'batterylevel', 'battery'],
  share: ['currentfuelpercent'],
  miles: ['rangemiles', 'rangemi'],
  km: ['rangekm', 'rangekilometers'],
  meters: ['currentrangemeters', 'rangemeters', 'rangem'],
  available: ['isavailable', 'available'],
  reserved: ['isreserved', 'reserved'],
  disabled: ['isdisabled', 'disabled'],
  reported: ['lastreported', 'lastupdated', 'lastseen'],
  time: ['snapshottime', 'snapshotat', 'fetchedat', 'collectedat', 'retrievedat', 'capturedat', 'timestamp'],
} as const

/** Positions of the columns of a list of vehicles; -1 if missing. */
export type SnapshotColumns = Record<keyof typeof names, number>

/** The meaning of columns; null if the header is not of a list of vehicles at one moment. */
export function snapshotColumns(header: readonly string[]): SnapshotColumns | null {
  const plain = header.map(plainName)
  const columns = Object.fromEntries(
    Object.entries(names).map(([meaning, of]) => [
      meaning,
      of.map((name) => plain.indexOf(name)).find((place) => place >= 0) ?? -1,
    ]),
  ) as SnapshotColumns
  const hasState = [
    columns.battery,
    columns.share,
    columns.miles,
    columns.km,
    columns.meters,
    columns.available,
    columns.reserved,
    columns.disabled,
    columns.reported,
  ].some((place) => place >= 0)
  const isTrips = plain.some((name) => /^(start|end|origin|destination|trip|ride)/.test(name))
  return columns.vehicle >= 0 && columns.lat >= 0 && columns.lon >= 0 && hasState && !isTrips ? columns : null
}
