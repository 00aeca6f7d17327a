import type { TripAggregation } from '#contract/evaluation.ts'
import type { VehicleType } from '#contract/mobility.ts'
import type { LocalDay } from '#contract/period.ts'
import { colorSchemes, type EvaluationSearch } from './evaluation-search.ts'
import { isDay } from './is-day.ts'
import { periodPresets, type PeriodPreset } from './period-preset.ts'

export const heatPlaces = ['origin', 'destination'] as const
export const largestBuffer = 5000

/** The trips map's state in the address bar. What has its default value is absent. */
export interface TripsSearch extends EvaluationSearch {
  operators?: string[] | undefined
  vehicleType?: VehicleType | undefined
  /** A period that moves with today; absent with no days: the default one. */
  period?: PeriodPreset | undefined
  startDate?: LocalDay | undefined
  endDate?: LocalDay | undefined
  days?: number[] | undefined
  hours?: [from: number, to: number] | undefined
  layer?: string | undefined
  aggregation?: TripAggregation | undefined
  buffer?: number | undefined
  heat?: (typeof heatPlaces)[number] | undefined
}

// The list of screens, and so this file, is in the first load of the app. The contract's schemas would bring zod along; their types hold these lists to them.
const aggregations: Record<TripAggregation, true> = {
  origins: true, destinations: true, daily_origins: true, daily_destinations: true, orig_or_dest: true, average_origin_distance: true, average_destination_distance: true,
}
const vehicleTypes: Record<VehicleType, true> = {
  bicycle: true, pedal_bicycle: true, car: true, moped: true, scooter: true, scooter_standing: true, delivery_robot: true, scooter_seated: true, other: true,
}
const slug = /^[a-z0-9][a-z0-9_-]{0,59}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads the address bar's state; never fails: what makes no sense is as if absent. */
export function tripsSearch(search: Record<string, unknown>): TripsSearch {
  const operators = listOf(search['operators']).filter((each): each is string => typeof each === 'string' && slug.test(each))
  const days = listOf(search['days']).map(Number).filter((day) => Number.isInteger(day) && day >= 1 && day <= 7)
  const [start, end] = daysInOrder(oneDay(search['startDate']), oneDay(search['endDate']))
  const found: TripsSearch = {
    operators: orAbsent([...new Set(operators)].toSorted()),
    vehicleType: keyOf(vehicleTypes, search['vehicleType']),
    period: start === undefined ? oneOf(periodPresets, search['period']) : undefined,
    startDate: start,
    endDate: end,
    days: new Set(days).size === 7 ? undefined : orAbsent([...new Set(days)].toSorted()),
    hours: hoursOf(search['hours']),
    layer: oneUuid(search['layer']),
    aggregation: unlessDefault(keyOf(aggregations, search['aggregation']), 'origins'),
    buffer: bufferOf(search['buffer']),
    shape: oneUuid(search['shape']),
    colors: unlessDefault(oneOf(colorSchemes, search['colors']), 'tide'),
    heat: oneOf(heatPlaces, search['heat']),
    results: search['results'] === true ? true : undefined,
    view: viewOf(search['view']),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
const orAbsent = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)
const unlessDefault = <T>(value: T | undefined, usual: T): T | undefined => (value === usual ? undefined : value)
const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((each) => each === value)
const oneUuid = (value: unknown): string | undefined => (typeof value === 'string' && uuid.test(value) ? value : undefined)
const keyOf = <T extends string>(all: Record<T, true>, value: unknown): T | undefined => (typeof value === 'string' && Object.hasOwn(all, value) ? (value as T) : undefined)
const oneDay = (value: unknown): LocalDay | undefined => (typeof value === 'string' && isDay(value) ? value : undefined)

/** Swapped days are reordered; a day without its partner is a period of one day. */
function daysInOrder(a: LocalDay | undefined, b: LocalDay | undefined): [LocalDay | undefined, LocalDay | undefined] {
  const [start, end] = [a ?? b, b ?? a]
  return start !== undefined && end !== undefined && start > end ? [end, start] : [start, end]
}

function hoursOf(value: unknown): [number, number] | undefined {
  const [a, b] = listOf(value).map(Number)
  if (a === undefined || b === undefined || ![a, b].every((hour) => Number.isInteger(hour) && hour >= 0 && hour <= 24) || a === b) return undefined
  const [from, to] = [Math.min(a, b), Math.max(a, b)]
  return from === 0 && to === 24 ? undefined : [from, to]
}

function bufferOf(value: unknown): number | undefined {
  const metres = typeof value === 'number' ? Math.round(value) : Number.NaN
  return metres > 0 && metres <= largestBuffer ? metres : undefined
}

function viewOf(value: unknown): [number, number, number] | undefined {
  const [lon, lat, zoom] = listOf(value).map(Number)
  if (lon === undefined || lat === undefined || zoom === undefined) return undefined
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 85.05 && zoom >= 0 && zoom <= 22 ? [lon, lat, zoom] : undefined
}
