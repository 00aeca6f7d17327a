// MDS records like those of operators. Each call returns a new record with `overrides`.

export const providerId = '48415839-3e38-4ba5-a557-e45fb4e6a0a3'
/** 2026-03-02 15:00 UTC. */
export const sampleTime = Date.UTC(2026, 2, 2, 15)

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

type Fields = Record<string, unknown>

export const gps = (overrides: Fields = {}): Fields => ({
  lat: 39.9612,
  lng: -82.9988,
  speed: 3.5,
  heading: 90,
  horizontal_accuracy: 4,
  altitude: 230,
  satellites: 7,
  ...overrides,
})

export const vehicle = (n = 1, overrides: Fields = {}): Fields => ({
  device_id: uuid(n),
  provider_id: providerId,
  vehicle_id: `LK-${n}`,
  vehicle_type: 'scooter_standing',
  propulsion_types: ['electric'],
  vehicle_attributes: { year: 2024, make: 'Lark', model: 'Two' },
  battery_capacity: 15_000,
  maximum_speed: 25,
  ...overrides,
})

export const event = (n = 1, overrides: Fields = {}): Fields => ({
  device_id: uuid(1),
  provider_id: providerId,
  event_id: uuid(1000 + n),
  vehicle_state: 'on_trip',
  event_types: ['trip_start'],
  timestamp: sampleTime + n * 1000,
  publication_time: sampleTime + n * 1000 + 400,
  location: gps(),
  battery_percent: 80,
  trip_ids: [uuid(500)],
  ...overrides,
})

export const telemetry = (n = 1, overrides: Fields = {}): Fields => ({
  device_id: uuid(1),
  provider_id: providerId,
  telemetry_id: uuid(2000 + n),
  timestamp: sampleTime + n * 1000,
  trip_ids: [uuid(500)],
  journey_id: null,
  location: gps(),
  location_type: 'bike_lane',
  battery_percent: 79,
  tipped_over: false,
  ...overrides,
})

export const trip = (n = 1, overrides: Fields = {}): Fields => ({
  provider_id: providerId,
  device_id: uuid(1),
  trip_id: uuid(3000 + n),
  trip_type: 'rider',
  start_time: sampleTime - 600_000,
  end_time: sampleTime,
  start_location: gps(),
  end_location: gps({ lat: 39.97 }),
  duration: 600,
  distance: 1500,
  publication_time: sampleTime + 30_000,
  parking_category: 'rack',
  standard_cost: 320,
  actual_cost: 300,
  currency: 'USD',
  ...overrides,
})

export const stop = (n = 1, overrides: Fields = {}): Fields => ({
  stop_id: uuid(4000 + n),
  name: 'Broad and High',
  last_updated: sampleTime,
  location: { lat: 39.962, lng: -83.001 },
  status: { is_installed: true, is_renting: true, is_returning: false },
  capacity: { bicycle: 10 },
  num_vehicles_available: { bicycle: 4 },
  num_vehicles_disabled: { bicycle: 1 },
  provider_id: providerId,
  rental_methods: ['phone'],
  devices: [uuid(1)],
  ...overrides,
})

export const status = (n = 1, overrides: Fields = {}): Fields => ({
  device_id: uuid(1),
  provider_id: providerId,
  last_event: event(n),
  last_telemetry: telemetry(n),
  ...overrides,
})

export const report = (rows: readonly string[]): string =>
  [
    'provider_id,start_date,duration,special_group_type,geography_id,vehicle_type,trip_count,rider_count',
    ...rows,
  ].join('\n')
export const reportRow = (trips = 1302, riders = 983): string =>
  `${providerId},2026-02-01,P1M,all_riders,${uuid(7)},scooter_standing,${trips},${riders}`

/** Returns a GeoJSON point of MDS 1.2. */
export const point = (time = sampleTime, lon = -82.9988, lat = 39.9612, overrides: Fields = {}): Fields => ({
  type: 'Feature',
  properties: { timestamp: time, accuracy: 4, speed: 3.5, ...overrides },
  geometry: { type: 'Point', coordinates: [lon, lat] },
})

/** Returns the common fields of records of MDS 1.2 Provider. */
const makeVehicleFields = (n: number): Fields => ({
  provider_name: 'Lark',
  provider_id: providerId,
  device_id: uuid(n),
  vehicle_id: `LK-${n}`,
  vehicle_type: 'scooter',
  propulsion_types: ['electric'],
})

export const earlierVehicle = (n = 1, overrides: Fields = {}): Fields => ({
  ...makeVehicleFields(n),
  last_event_time: sampleTime,
  last_vehicle_state: 'available',
  last_event_types: ['trip_end'],
  last_event_location: point(),
  current_location: point(sampleTime + 60_000),
  battery_pct: 0.57,
  ...overrides,
})
export const statusChange = (n = 1, overrides: Fields = {}): Fields => ({
  ...makeVehicleFields(1),
  event_time: sampleTime + n * 1000,
  publication_time: sampleTime + n * 1000 + 400,
  event_location: point(sampleTime + n * 1000),
  vehicle_state: 'available',
  event_types: ['trip_end'],
  battery_pct: 0.57,
  trip_id: uuid(500),
  ...overrides,
})
export const earlierTrip = (n = 1, overrides: Fields = {}): Fields => ({
  ...makeVehicleFields(1),
  trip_id: uuid(3000 + n),
  trip_duration: 600,
  trip_distance: 1500,
  accuracy: 4,
  start_time: sampleTime - 600_000,
  end_time: sampleTime,
  publication_time: sampleTime + 30_000,
  standard_cost: 320,
  actual_cost: 300,
  currency: 'USD',
  route: {
    type: 'FeatureCollection',
    features: [
      point(sampleTime - 600_000),
      point(sampleTime - 300_000, -82.995, 39.965),
      point(sampleTime, -82.99, 39.97),
    ],
  },
  ...overrides,
})
export const earlierStop = (n = 1, overrides: Fields = {}): Fields => ({
  stop_id: uuid(4000 + n),
  name: 'Broad and High',
  last_reported: sampleTime,
  location: point(),
  status: { is_installed: true, is_renting: true, is_returning: false },
  capacity: { bicycle: 10 },
  num_vehicles_available: { bicycle: 4 },
  num_vehicles_disabled: { bicycle: 1 },
  ...overrides,
})
export const registration = (n = 1, overrides: Fields = {}): Fields => ({
  device_id: uuid(n),
  vehicle_id: `LK-${n}`,
  vehicle_type: 'scooter',
  propulsion_types: ['electric'],
  year: 2021,
  mfgr: 'Lark',
  model: 'One',
  ...overrides,
})
export const pushedPoint = (n = 1, overrides: Fields = {}): Fields => ({
  device_id: uuid(1),
  timestamp: sampleTime + n * 1000,
  gps: { lat: 39.9612, lng: -82.9988, speed: 3.5, accuracy: 4 },
  charge: 0.57,
  ...overrides,
})
export const pushedEvent = (n = 1, overrides: Fields = {}): Fields => ({
  vehicle_state: 'on_trip',
  event_types: ['trip_start'],
  timestamp: sampleTime + n * 1000,
  telemetry: pushedPoint(n),
  trip_id: uuid(500),
  ...overrides,
})
