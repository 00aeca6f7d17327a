import type { CountLayout } from '#contract/curb-counts.ts'
import { normalizeKey } from '../../imports/checks/values.ts'
import { readTimeOfDay } from './local-time.ts'

/** What a column of a file of counts may mean. */
export type CountColumn =
  | 'place'
  | 'name'
  | 'street'
  | 'side'
  | 'begin_street'
  | 'end_street'
  | 'lat'
  | 'lon'
  | 'point'
  | 'time'
  | 'date'
  | 'clock'
  | 'weekday'
  | 'arrival'
  | 'departure'
  | 'present'
  | 'state'
  | 'occupied'
  | 'vacant'
  | 'share'
  | 'spaces'
  | 'paid_spaces'
  | 'paid_load'
  | 'occupied_seconds'
  | 'vacant_seconds'
  | 'unknown_seconds'
  | 'total_seconds'
  | 'operated_spots'
  | 'occupied_part'
  | 'vacant_part'
  | 'unknown_part'

/** Spellings of column names, most specific first, in lower case without spaces, dashes and underscores. */
const spellings: Readonly<Record<CountColumn, readonly string[]>> = {
  place: [
    'curbzoneid',
    'elementkey',
    'sourceelementkey',
    'elmntkey',
    'blockid',
    'blockfaceid',
    'blockfacekey',
    'blockface',
    'spaceid',
    'bayid',
    'kerbsideid',
    'streetmarker',
    'markerid',
    'sensorid',
    'deviceid',
    'postid',
    'meterid',
    'meternumber',
    'poleid',
    'pole',
    'zoneid',
    'zonenumber',
    'zone',
    'locationid',
    'placeid',
    'place',
    'segmentid',
    'segkey',
    'facilityid',
    'lotid',
    'id',
  ],
  name: [
    'streetblock',
    'blockfacename',
    'blockname',
    'locationname',
    'location',
    'zonename',
    'facilityname',
    'name',
  ],
  street: ['streetname', 'street', 'onstreet', 'mainstreet', 'road'],
  side: ['sideofstreet', 'streetside', 'side', 'streetdirection', 'sideofstreetcode'],
  begin_street: [
    'startboundstreet',
    'fromstreet',
    'betweenstreet1',
    'crossstreet1',
    'streetfrom',
    'betweenstreet1description',
  ],
  end_street: [
    'endboundstreet',
    'tostreet',
    'betweenstreet2',
    'crossstreet2',
    'streetto',
    'betweenstreet2description',
  ],
  lat: ['latitude', 'lat', 'y'],
  lon: ['longitude', 'lng', 'lon', 'long', 'x'],
  point: ['location', 'geocode', 'point', 'latlng', 'thegeom'],
  time: [
    'occupancydatetime',
    'starttimedt',
    'localhour',
    'hourbeginning',
    'datetime',
    'localdatetime',
    'timestamp',
    'eventtimeutc',
    'eventtime',
    'statustimestamp',
    'observationtime',
    'counttime',
    'surveytime',
    'datehour',
    'hourstart',
    'starttime',
    'readtime',
    'time',
  ],
  date: ['date', 'surveydate', 'countdate', 'day', 'localdate', 'observationdate'],
  clock: ['timeofday', 'hourofday', 'hour', 'time', 'counttime', 'hr'],
  weekday: ['dow', 'dayofweek', 'weekday', 'day'],
  arrival: ['arrivaltime', 'arrival', 'arrivaldatetime', 'entrytime', 'timein'],
  departure: ['departuretime', 'departure', 'departuredatetime', 'exittime', 'timeout'],
  present: ['vehiclepresent', 'occupied', 'present'],
  state: ['occupancystate', 'occupancystatus', 'state', 'status', 'statusdescription', 'baystatus'],
  occupied: [
    'occupied',
    'occupiedspaces',
    'occupiedcount',
    'occupiedstalls',
    'parkedvehicles',
    'vehicles',
    'vehiclecount',
    'cars',
    'count',
    'totalvehiclecount',
  ],
  vacant: ['vacant', 'vacantspaces', 'available', 'availablespaces', 'free', 'emptyspaces'],
  share: [
    'occupancyrate',
    'occupancypercent',
    'occupancypct',
    'percentoccupied',
    'pctoccupied',
    'occupancyshare',
    'utilization',
    'occupancy',
    'load',
  ],
  spaces: [
    'parkingspacecount',
    'parkingspaces',
    'totalspaces',
    'spaces',
    'numspaces',
    'spacecount',
    'capacity',
    'stalls',
    'totalstalls',
    'supply',
  ],
  paid_spaces: ['paidoccupancy', 'paidspaces', 'paidcount', 'paidvehicles'],
  paid_load: ['paidload', 'paidoccupancyrate', 'paidshare', 'paidpercent'],
  occupied_seconds: ['totaloccupiedtime', 'occupiedtime', 'occupiedseconds'],
  vacant_seconds: ['totalvacanttime', 'vacanttime', 'vacantseconds'],
  unknown_seconds: ['totalunknowntime', 'unknowntime', 'unknownseconds'],
  total_seconds: ['totaltime', 'totalseconds'],
  operated_spots: ['optimespots'],
  occupied_part: ['totaloccupiedtimepct', 'occupiedpct', 'occupiedshare'],
  vacant_part: ['totalvacanttimepct', 'vacantpct', 'vacantshare'],
  unknown_part: ['totalunknowntimepct', 'unknownpct', 'unknownshare'],
}

/** The recognized layout of a file, and its column names by meaning. */
export interface FileColumns {
  layout: CountLayout
  columns: Partial<Record<CountColumn, string>>
  /** Columns of a survey named by a time of day, with that time in seconds after midnight. */
  timeColumns: readonly { column: string; seconds: number }[]
}

/** Reads the seconds after midnight of a column name such as `6:00 AM` or `At 18:00`; null for other names. */
const readColumnTime = (name: string): number | null =>
  readTimeOfDay(name.trim().replace(/^(hour|time|at)\s+/i, ''))

/** A file with at least this many columns that are named by a time of day is a survey. */
const minSurveyTimes = 3

/** Recognizes the layout of a file and the meanings of its columns; null if the layout is unknown. */
export function recognizeColumns(header: readonly string[]): FileColumns | null {
  const namesByKey = new Map(header.map((name) => [normalizeKey(name), name]))
  const findName = (column: CountColumn): string | undefined => {
    for (const spelling of spellings[column]) {
      const name = namesByKey.get(spelling)
      if (name !== undefined) return name
    }
    return undefined
  }
  const columns = Object.fromEntries(
    (Object.keys(spellings) as CountColumn[]).flatMap((column) => {
      const name = findName(column)
      return name === undefined ? [] : [[column, name]]
    }),
  ) as FileColumns['columns']
  const timeColumns = header.flatMap((column) => {
    const seconds = readColumnTime(column)
    return seconds === null ? [] : [{ column, seconds }]
  })
  const has = (...names: CountColumn[]): boolean => names.every((name) => columns[name] !== undefined)
  const hasPlace = has('place') || has('name') || has('street')
  const hasTime = has('time') || has('date', 'clock')
  const recognizeLayout = (): CountLayout | null => {
    if (has('arrival', 'departure') && hasPlace) return 'intervals'
    if (timeColumns.length >= minSurveyTimes) return 'survey'
    if (!hasPlace) return null
    if (
      has('weekday', 'clock') &&
      !has('date') &&
      !isDated(columns) &&
      (has('occupied_part') || has('share'))
    )
      return 'sensor_week'
    if (!hasTime) return null
    if (has('occupied_seconds')) return 'sensor_hours'
    if (has('paid_spaces')) return 'paid_minutes'
    if (has('paid_load')) return 'paid_load'
    if (has('state') && !has('share')) return 'states'
    if (has('occupied') || has('share') || has('vacant', 'spaces')) return 'counts'
    return null
  }
  const layout = recognizeLayout()
  if (layout === null) return null
  // Such files contain the total capacity in addition to the shares of time.
  if (layout === 'sensor_week') {
    const spots = namesByKey.get('totaltimespots')
    if (spots !== undefined) columns.spaces = spots
  }
  return { layout, columns, timeColumns }
}

/** Whether a file has a column of times besides that of the hour. */
const isDated = ({ time, clock }: FileColumns['columns']): boolean => time !== undefined && time !== clock
