import { toPlainName } from '#server/table-files/column-names.ts'

/** The normalized names of each column. */
const columnNames = {
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

/** The indices of the columns of a list of vehicles; -1 if missing. */
export type SnapshotColumns = Record<keyof typeof columnNames, number>

/** Finds the columns of a list of vehicles at one moment; null if the header is that of another table. */
export function findSnapshotColumns(header: readonly string[]): SnapshotColumns | null {
  const plainHeader = header.map(toPlainName)
  const columns = Object.fromEntries(
    Object.entries(columnNames).map(([column, names]) => [
      column,
      names.map((name) => plainHeader.indexOf(name)).find((index) => index >= 0) ?? -1,
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
  ].some((index) => index >= 0)
  const isTrips = plainHeader.some((name) => /^(start|end|origin|destination|trip|ride)/.test(name))
  return columns.vehicle >= 0 && columns.lat >= 0 && columns.lon >= 0 && hasState && !isTrips ? columns : null
}
