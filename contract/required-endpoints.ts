/**
 * An endpoint that a city may require of operators, with the fields that the standard leaves to the operator
 * (`optional`: they can be required) and those that it requires (`standard`). Both can be disallowed, as in
 * MDS Requirements. Ids of records are on neither list, because records are useless without them.
 */
export interface RequirableEndpoint {
  api: 'provider' | 'gbfs'
  endpoint: string
  optional: readonly string[]
  standard: readonly string[]
}

const eventFields = {
  optional: [
    'publication_time',
    'location',
    'event_geographies',
    'battery_percent',
    'fuel_percent',
    'trip_ids',
    'stop_id',
    'associated_ticket',
    'data_provider_id',
  ],
  standard: ['vehicle_state', 'event_types', 'timestamp'],
}
const mds1VehicleFields = ['provider_name', 'vehicle_id', 'vehicle_type', 'propulsion_types']
const mds1EventFields = {
  optional: ['publication_time', 'battery_pct', 'trip_id', 'associated_ticket'],
  standard: [...mds1VehicleFields, 'vehicle_state', 'event_types', 'event_time', 'event_location'],
}
const noFields = { optional: [], standard: [] }

const provider = (
  endpoint: string,
  fields: Pick<RequirableEndpoint, 'optional' | 'standard'> = noFields,
): RequirableEndpoint => ({ api: 'provider', endpoint, ...fields })
const gbfs = (endpoint: string): RequirableEndpoint => ({ api: 'gbfs', endpoint, ...noFields })

/** Endpoints that a city may require, by standard and version. */
export const requirableEndpoints = {
  MDS: {
    '2.0': [
      provider('vehicles', {
        optional: [
          'vehicle_attributes',
          'accessibility_attributes',
          'battery_capacity',
          'fuel_capacity',
          'maximum_speed',
          'data_provider_id',
        ],
        standard: ['vehicle_id', 'vehicle_type', 'propulsion_types'],
      }),
      provider('vehicles/status', {
        optional: ['data_provider_id'],
        standard: ['last_event', 'last_telemetry'],
      }),
      provider('trips', {
        optional: [
          'trip_type',
          'trip_attributes',
          'journey_id',
          'journey_attributes',
          'fare_attributes',
          'publication_time',
          'accessibility_attributes',
          'parking_verification_url',
          'parking_category',
          'standard_cost',
          'actual_cost',
          'currency',
          'data_provider_id',
        ],
        standard: ['start_time', 'end_time', 'start_location', 'end_location', 'duration', 'distance'],
      }),
      provider('telemetry', {
        optional: [
          'stop_id',
          'location_type',
          'battery_percent',
          'fuel_percent',
          'tipped_over',
          'data_provider_id',
        ],
        standard: ['timestamp', 'trip_ids', 'journey_id', 'location'],
      }),
      provider('events/recent', eventFields),
      provider('events/historical', eventFields),
      provider('stops', {
        optional: [
          'provider_id',
          'data_provider_id',
          'geography_id',
          'region_id',
          'short_name',
          'address',
          'post_code',
          'rental_methods',
          'cross_street',
          'num_places_available',
          'num_places_disabled',
          'parent_stop',
          'devices',
          'image_url',
        ],
        standard: [
          'name',
          'last_updated',
          'location',
          'status',
          'capacity',
          'num_vehicles_available',
          'num_vehicles_disabled',
        ],
      }),
      provider('reports'),
    ],
    '1.2': [
      provider('vehicles', {
        optional: ['current_location', 'battery_pct'],
        standard: [
          ...mds1VehicleFields,
          'last_event_time',
          'last_vehicle_state',
          'last_event_types',
          'last_event_location',
        ],
      }),
      provider('trips', {
        optional: [
          'publication_time',
          'parking_verification_url',
          'standard_cost',
          'actual_cost',
          'currency',
        ],
        standard: [
          ...mds1VehicleFields,
          'trip_duration',
          'trip_distance',
          'route',
          'accuracy',
          'start_time',
          'end_time',
        ],
      }),
      provider('status_changes', mds1EventFields),
      provider('events', mds1EventFields),
      provider('stops'),
      provider('reports'),
    ],
  },
  GBFS: {
    '3.0': [
      'vehicle_status',
      'vehicle_types',
      'station_information',
      'station_status',
      'geofencing_zones',
      'system_information',
      'system_pricing_plans',
    ].map(gbfs),
    '2.3': [
      'free_bike_status',
      'vehicle_types',
      'station_information',
      'station_status',
      'geofencing_zones',
      'system_information',
      'system_pricing_plans',
    ].map(gbfs),
  },
} as const satisfies Record<string, Record<string, readonly RequirableEndpoint[]>>

export type RequirableSpec = keyof typeof requirableEndpoints
export const requirableSpecs = Object.keys(requirableEndpoints) as RequirableSpec[]

/** Lists the versions of a standard that can be required, newest first. */
export const requirableVersions = (spec: RequirableSpec): string[] =>
  Object.keys(requirableEndpoints[spec]).toSorted().toReversed()

/** Returns the endpoints that can be required in a version; null if there is no such version. */
export const getRequirableEndpoints = (
  spec: RequirableSpec,
  version: string,
): readonly RequirableEndpoint[] | null =>
  (requirableEndpoints[spec] as Record<string, readonly RequirableEndpoint[]>)[version] ?? null
