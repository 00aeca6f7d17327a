import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

/**
 * States in which a vehicle counts in the shapes of its place. On a trip, or stopped during one, it is in no
 * single shape (docs/metrics.md).
 */
export const stationaryStates = [
  'available',
  'reserved',
  'non_operational',
  'non_contactable',
] as const satisfies readonly VehicleState[]

/** Events that report that a vehicle was placed by its operator or the agency. */
export const dropOffEvents: readonly EventType[] = ['provider_drop_off', 'agency_drop_off']

/** Trips that start in a shape, that end in it, and that do either. */
export const tripCounts = ['orig', 'dest', 'either'] as const

/**
 * Sums of trips by shape (ShapeRow in trips-by-shape.ts). A trip counts in the hour of its start, in the
 * shapes of both ends.
 */
export const tripSums = [...tripCounts, 'orig_measured', 'dest_measured', 'orig_mm', 'dest_mm'] as const

/** Sums of facts at one place. The index in this list is the `kind` of a fact in queries. */
export const placedSums = [
  'parking_begins',
  'drop_offs',
  'parked_ms',
  'available_ms',
  'reserved_ms',
  'non_operational_ms',
  'non_contactable_ms',
] as const

/** All sums of a cube. */
export const cubeSums = [...tripSums, ...placedSums] as const
export type CubeSum = (typeof cubeSums)[number]

/**
 * Shapes of a layer are numbered from 1. Sums by shape use two sentinels in the same UInt32 column, because
 * grouping by a nullable key is slower: facts in no shape, and all facts, each counted once.
 */
export const NO_SHAPE_ID = 0
export const ALL_SHAPES_ID = 2 ** 32 - 1

/** The columns of shape_hours. */
export const shapeHourColumns = [
  'region_id',
  'shape_key',
  'hour',
  'operator',
  'vehicle_type',
  ...cubeSums,
  'is_deleted',
  'version',
] as const
/** The columns of shape_day_hours. `by_hour.*` are lists with one element for each hour of the day with facts. */
export const shapeDayColumns = [
  'region_id',
  'shape_key',
  'day',
  'operator',
  'vehicle_type',
  ...cubeSums,
  'by_hour.hour',
  ...cubeSums.map((name) => `by_hour.${name}` as const),
  'version',
] as const
