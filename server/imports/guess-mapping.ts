import { type TripColumn, TripMapping } from '#contract/imports.ts'
import { toPlainName } from '#server/table-files/column-names.ts'

/** Patterns of usual column names, normalized by `toPlainName`. */
const namePatterns: Record<Exclude<TripColumn, 'start_station' | 'end_station'>, RegExp> = {
  trip_id: /^(trip|ride|route|journey)(id|uuid|number)$|^id$/,
  operator: /^(operator|provider|company|vendor)(name|id|slug)?$/,
  vehicle_type: /^(vehicle|rideable|bike)?type$|^vehicle(category|class)$/,
  vehicle_id: /^(vehicle|bike|device|scooter)(id|uuid|number)$/,
  start_time:
    /^(start|started|startat|startedat|starttime|startdatetime|startlocaltime|tripstart|departure|departuretime|begin|begintime|starttimestamp)$/,
  start_date: /^startdate$/,
  start_clock: /^startclock$/,
  end_time:
    /^(end|ended|endat|endedat|endtime|stoptime|enddatetime|endlocaltime|tripend|arrival|arrivaltime|endtimestamp)$/,
  end_date: /^enddate$/,
  end_clock: /^endclock$/,
  start_lon: /^(start|origin|from|begin)(station)?(lon|lng|long|longitude|x|centroidlongitude)$/,
  start_lat: /^(start|origin|from|begin)(station)?(lat|latitude|y|centroidlatitude)$/,
  end_lon: /^(end|destination|dest|to)(station)?(lon|lng|long|longitude|x|centroidlongitude)$/,
  end_lat: /^(end|destination|dest|to)(station)?(lat|latitude|y|centroidlatitude)$/,
  distance: /^(trip)?(distance|length)(m|km|mi|miles|meters|metres|feet|ft)?$/,
  duration: /^(trip)?duration(s|sec|seconds|min|minutes)?$/,
}

/** Guesses the unit from the end of a column's name; meters if it names none. */
const guessDistanceUnit = (name: string | undefined): { distance_unit: 'm' | 'km' | 'mi' | 'ft' } => {
  const plainName = toPlainName(name ?? '')
  if (/mi(les)?$/.test(plainName)) return { distance_unit: 'mi' }
  if (plainName.endsWith('km')) return { distance_unit: 'km' }
  return { distance_unit: /(ft|feet)$/.test(plainName) ? 'ft' : 'm' }
}

/** Suggests a mapping for an unknown header by its column names. Columns that match no pattern are left out. */
export function guessMapping(header: readonly string[]): TripMapping {
  const columns: Partial<Record<TripColumn, string>> = {}
  for (const [column, pattern] of Object.entries(namePatterns) as [TripColumn, RegExp][]) {
    const match = header.find(
      (name) => pattern.test(toPlainName(name)) && !Object.values(columns).includes(name),
    )
    if (match !== undefined) columns[column] = match
  }
  // Besides a column with the date, a "start time" is only the time of day.
  if (columns.start_date && columns.start_time) {
    columns.start_clock = columns.start_time
    delete columns.start_time
  }
  if (columns.end_date && columns.end_time) {
    columns.end_clock = columns.end_time
    delete columns.end_time
  }
  // Without coordinates, the station determines the place.
  for (const [endpoint, words] of [
    ['start', 'start|from|origin|begin|checkout|departure'],
    ['end', 'end|to|dest|destination|return|arrival'],
  ] as const) {
    if (columns[`${endpoint}_lon`] && columns[`${endpoint}_lat`]) continue
    const findStationColumn = (pattern: string) =>
      header.find((name) =>
        new RegExp(`^(${words})(station|hub|kiosk|dock|terminal)${pattern}$`).test(toPlainName(name)),
      )
    const station = findStationColumn('(id|number|num|no|code|key)') ?? findStationColumn('(name)?')
    if (station !== undefined) columns[`${endpoint}_station`] = station
  }
  const durationName = toPlainName(columns.duration ?? '')
  return TripMapping.parse({
    columns,
    ...guessDistanceUnit(columns.distance),
    duration_unit: /min(utes)?$/.test(durationName) ? 'min' : 's',
  })
}
