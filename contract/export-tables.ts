import { stationColumns, type StationColumnUnit } from './bikeshare.ts'

/** Type of a column in all formats: times are UTC instants, days are local days of the region. */
export type ExportColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'day'

/**
 * How a column is protected, because it reveals the movement of single vehicles. For users who may not see single
 * trips, ids are left out, positions are rounded to three decimals and times to the local hour.
 */
export type ExportPrivacy = 'id' | 'position' | 'time'

export interface ExportColumn {
  type: ExportColumnType
  unit: string | null
  /** In English; the web app has translations. */
  description: string
  /** Null: the same for all users. */
  privacy: ExportPrivacy | null
}

export type ExportFilter = 'operators' | 'vehicle_types' | 'layer'

export interface ExportTable {
  description: string
  /** The column that assigns a row to a period; null: the table has no period. */
  time: string | null
  /** Columns with the geometry of a GeoJSON feature. `wkt`: shapes of any type. Null: no GeoJSON. */
  geometry: { lon: string; lat: string } | 'wkt' | null
  filters: readonly ExportFilter[]
  columns: Readonly<Record<string, ExportColumn>>
}

const column = (
  type: ExportColumnType,
  description: string,
  { unit, privacy }: { unit?: string; privacy?: ExportPrivacy } = {},
): ExportColumn => ({ type, unit: unit ?? null, description, privacy: privacy ?? null })
const text = (description: string) => column('text', description)
const id = (description: string) => column('text', description, { privacy: 'id' })
const exactTime = (description: string) => column('time', description)
const privateTime = (description: string) => column('time', description, { privacy: 'time' })
const degrees = (description: string) => column('number', description, { unit: '°', privacy: 'position' })

const operator = text('Operator, by its slug')
const vehicle_type = text('Vehicle type')
const device_id = id('Vehicle, by the id of its operator’s feed')
const lon = degrees('Longitude, WGS84')
const lat = degrees('Latitude, WGS84')
const accuracy_m = column('number', 'Accuracy of the position as reported', { unit: 'm' })
const battery = column('number', 'Charge of the battery', { unit: '%' })
const event_types = text('Events that led to the state, separated by spaces')
const stationTypes: Readonly<Record<StationColumnUnit | 'text', ExportColumnType>> = {
  text: 'text',
  minutes: 'number',
  share: 'number',
  vehicles: 'number',
  docks: 'integer',
  trips: 'number',
  runs: 'integer',
  money: 'number',
}
const fleet: readonly ExportFilter[] = ['operators', 'vehicle_types']
const position = { lon: 'lon', lat: 'lat' }

const trips: ExportTable = {
  description: 'One row for each trip that starts in the period',
  time: 'start_time',
  geometry: { lon: 'start_lon', lat: 'start_lat' },
  filters: fleet,
  columns: {
    trip_id: id('Trip, by the id of its operator or file'),
    operator,
    vehicle_type,
    vehicle_id: id('Vehicle of the trip, as reported'),
    start_time: privateTime('Start of the trip'),
    end_time: privateTime('End of the trip'),
    local_date: column('day', 'Local day of the start'),
    local_hour: column('integer', 'Local hour of the start, 0 to 23'),
    start_lon: degrees('Longitude of the origin, WGS84'),
    start_lat: degrees('Latitude of the origin, WGS84'),
    end_lon: degrees('Longitude of the destination, WGS84'),
    end_lat: degrees('Latitude of the destination, WGS84'),
    distance_m: column('number', 'Distance as reported', { unit: 'm' }),
    duration_s: column('number', 'Duration as reported', { unit: 's' }),
    quality_flags: text('Quality flags, separated by spaces: why medians and means exclude the trip'),
    source: text('Where the trip comes from: a file, a trip report, events, or both'),
  },
}

const vehicle_states: ExportTable = {
  description: 'One row for each interval of a vehicle in one state that begins in the period',
  time: 'from_time',
  geometry: position,
  filters: fleet,
  columns: {
    operator,
    vehicle_type,
    device_id,
    state: text('State of the vehicle (MDS 2.0)'),
    event_types,
    from_time: privateTime('Start of the interval'),
    to_time: privateTime('End of the interval; empty while it continues'),
    trip_id: id('Trip during which the vehicle was in the state'),
    lon,
    lat,
    accuracy_m,
    battery,
  },
}

const events: ExportTable = {
  description: 'One row for each event of a vehicle in the period, as received',
  time: 'event_time',
  geometry: position,
  filters: fleet,
  columns: {
    event_id: id('Event, by the id of its operator’s feed'),
    operator,
    vehicle_type,
    device_id,
    vehicle_id: id('Number on the vehicle'),
    event_time: privateTime('Time of the event'),
    state: text('State after the event (MDS 2.0)'),
    event_types: text('Types of the event, separated by spaces'),
    trip_ids: id('Trips of the event, separated by spaces'),
    lon,
    lat,
    accuracy_m,
    battery,
    received_time: privateTime('When the server received the event'),
  },
}

const parking_events: ExportTable = {
  description: 'One row for each parking event that begins in the period',
  time: 'from_time',
  geometry: position,
  filters: fleet,
  columns: {
    operator,
    vehicle_type,
    device_id,
    from_time: privateTime('Start of the parking event'),
    to_time: privateTime('End of the parking event; empty while it continues'),
    is_ended: column('boolean', 'Whether the parking event ended with a departure'),
    lon,
    lat,
    accuracy_m,
  },
}

const compliance_days: ExportTable = {
  description:
    'One row for each policy, local day, operator and area: what was measured and whether it complies',
  time: 'date',
  geometry: null,
  filters: ['operators'],
  columns: {
    policy_uuid: text('Revision of the policy that was in effect'),
    policy_name: text('Name of the policy'),
    policy_type: text('Type of the policy'),
    date: column('day', 'Local day'),
    operator,
    shape_uuid: text('Area; empty in the row for the entire policy'),
    shape_name: text('Name of the area'),
    status: text('Result: compliant, non_compliant or not_applicable'),
    measure: text('What is measured'),
    measured: column('number', 'Measured value, in the unit of the measure'),
    minimum: column('number', 'Minimum of the policy'),
    maximum: column('number', 'Maximum of the policy'),
    unit: text('Unit of minimum and maximum'),
    vehicle_count: column('number', 'Size of the measured fleet, or number of vehicles in violation', {
      unit: 'vehicles',
    }),
    drop_offs_count: column('integer', 'Drop-offs', { unit: 'events' }),
    violations: column('integer', 'Records that violate the policy'),
    uncertain: column('integer', 'Records closer to a boundary than their accuracy'),
    gap_hours: column('integer', 'Hours without data from the operator', { unit: 'h' }),
    provisional: column('boolean', 'Whether the result may still change'),
    reason: text('The result in a sentence'),
    method_version: column('integer', 'Version of the method'),
  },
}

const policies: ExportTable = {
  description: 'One row for each policy with dates in the period: its newest revision',
  time: null,
  geometry: null,
  filters: ['operators', 'vehicle_types'],
  columns: {
    policy_uuid: text('Revision'),
    constant_policy_uuid: text('Policy, the same for all of its revisions'),
    policy_name: text('Name of the policy'),
    policy_type: text('Type of the policy'),
    description: text('Description'),
    status: text('Status: published, saved or expired'),
    operators: text('Operators, separated by spaces; empty for all'),
    vehicle_types: text('Vehicle types, separated by spaces; empty for all'),
    shape_layer_uuid: text('Layer of the areas; empty for the whole region'),
    shape_uuids: text('Areas, separated by spaces; empty for all of the layer'),
    minimum: column('number', 'Minimum of the policy'),
    maximum: column('number', 'Maximum of the policy'),
    unit: text('Unit of minimum and maximum'),
    value: column('number', 'Amount of money'),
    days: text('ISO weekdays, separated by spaces; empty for all'),
    start_time: text('Start of the daily time window'),
    end_time: text('End of the daily time window'),
    start_date: column('day', 'First local day'),
    end_date: column('day', 'Last local day'),
    published_time: exactTime('When it was published'),
    created_time: exactTime('When the revision was created'),
    modified_time: exactTime('When it was last changed'),
  },
}

const shapes: ExportTable = {
  description: 'One row for each area as it is now, of one layer or of all',
  time: null,
  geometry: 'wkt',
  filters: ['layer'],
  columns: {
    shape_uuid: text('Area, line or point'),
    shape_id: text('Id of the area in its source'),
    shape_name: text('Name of the area'),
    shape_description: text('Description'),
    shape_layer_uuid: text('Layer'),
    layer_name: text('Name of the layer'),
    wkt: text('Geometry as well-known text, longitude first, WGS84'),
    created_time: exactTime('When it was created'),
    modified_time: exactTime('When it was last changed'),
  },
}

const issues: ExportTable = {
  description: 'One row for each 311 issue that was requested in the period',
  time: 'requested_time',
  geometry: position,
  filters: [],
  columns: {
    id: text('Issue, by the id of its source'),
    source: text('Source of the issue'),
    service_code: text('Service code'),
    service_name: text('Name of the service'),
    status: text('Status: open or closed'),
    source_status: text('Status in the words of the source'),
    requested_time: exactTime('When it was requested'),
    updated_time: exactTime('When the source last changed it'),
    closed_time: exactTime('When it was closed'),
    resolution_time: column('number', 'Time from request to closing', { unit: 'h' }),
    address: text('Address'),
    lon: column('number', 'Longitude, WGS84', { unit: '°' }),
    lat: column('number', 'Latitude, WGS84', { unit: '°' }),
    description: text('Description'),
  },
}

const fees: ExportTable = {
  description:
    'One row for each local day, revision of a fee policy, operator, vehicle type and price: what is charged',
  time: 'date',
  geometry: null,
  filters: fleet,
  columns: {
    date: column('day', 'Local day'),
    policy_uuid: text('Revision of the fee policy'),
    operator,
    vehicle_type: text('Vehicle type; empty where the fee does not depend on it'),
    charge: text('Discount, reduction or MDS rule; empty for a quantity at a price'),
    unit: text('Unit of the quantity'),
    unit_price: text(
      'Price of a unit as a decimal; empty where tiers or free quantities are priced per invoice',
    ),
    quantity: column('number', 'Quantity'),
    numerator: column('integer', 'Numerator of the exact quantity'),
    denominator: column('integer', 'Denominator of the exact quantity'),
    facts: column('integer', 'Number of trips, parking events or vehicle-days in the row'),
  },
}

const bikeshare_stations: ExportTable = {
  description:
    'One row for each station of bikeshare systems and month of the period: how long it was empty or full between 06:00 and 22:00',
  time: 'start_date',
  geometry: position,
  filters: ['operators'],
  columns: {
    start_date: column('day', 'First local day'),
    end_date: column('day', 'Last local day'),
    ...Object.fromEntries(
      Object.entries(stationColumns)
        // It depends on a price per minute, which exports do not have.
        .filter(([name]) => name !== 'penalty')
        .map(([name, { unit, description }]) => [
          name,
          column(stationTypes[unit ?? 'text'], description, unit ? { unit } : {}),
        ]),
    ),
    lon: column('number', 'Longitude, WGS84', { unit: '°' }),
    lat: column('number', 'Latitude, WGS84', { unit: '°' }),
  },
}

/** Every table that can be exported, in their order on the page. */
export const exportTables = {
  trips,
  vehicle_states,
  events,
  parking_events,
  compliance_days,
  policies,
  shapes,
  issues,
  fees,
  bikeshare_stations,
} as const
export type ExportTableName = keyof typeof exportTables
export const exportTableNames = Object.keys(exportTables) as [ExportTableName, ...ExportTableName[]]

/** Incremented when a table is added or its columns or rows change. */
export const exportDefinitionsVersion = 2

/** Returns the columns of a table that a user receives, in order. Without exact data, ids are left out. */
export const getExportColumns = (table: ExportTableName, isExact: boolean): string[] =>
  Object.entries(exportTables[table].columns)
    .filter(([, { privacy }]) => isExact || privacy !== 'id')
    .map(([name]) => name)
