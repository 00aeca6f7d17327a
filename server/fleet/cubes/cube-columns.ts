import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

/** States of a vehicle at rest, which counts in the shapes of its place. On a trip, or stopped during one, it is in no single shape (docs/metrics.md). */
export const stationaryStates = [
  'available',
  'reserved',
  'non_operational',
  'non_contactable',
] as const satisfies readonly VehicleState[]

/** Events by which a vehicle is put down. */
export const dropOffEvents: readonly EventType[] = ['provider_drop_off', 'agency_drop_off']

export const tripCounts = ['orig', 'dest', 'either'] as const

/** Sums of trips by shape (ShapeRow of trips-by-shape.ts). A trip counts in the hour in which it starts, in the shapes of both ends. */
export const tripSums = [...tripCounts, 'orig_measured', 'dest_measured', 'orig_mm', 'dest_mm'] as const

/** Sums of facts at one place; a kind of fact has the number of its position here. */
export const placedSums = [
  'parking_begins',
  'drop_offs',
  'parked_ms',
  'available_ms',
  'reserved_ms',
  'non_operational_ms',
  'non_contactable_ms',
] as const

/** All sums of an hour. */
export const cubeSums = [...tripSums, ...placedSums] as const
export type CubeSum = (typeof cubeSums)[number]

/**
 * Shapes of a layer are numbered from 1. Sums by shape use two sentinels in the same UInt32 column, because a
 * nullable key is slower to group by: what is in no shape, and every fact counted once.
 */
export const NO_SHAPE_ID = 0
export const ALL_SHAPES_ID = 2 ** 32 - 1

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
