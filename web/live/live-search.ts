import { maxParkedMinutes } from '#contract/map-names.ts'
import { VehicleType } from '#contract/mobility.ts'
import { liveStateNames } from '#contract/vehicles.ts'
import { readVehicleType } from '#web/filters/trip-filters.ts'
import {
  distinguishEmpty,
  enumParam,
  flag,
  integer,
  listParam,
  matching,
  type SearchOf,
  searchParams,
  slugs,
  tableParams,
  view,
} from '#web/shell/search-params.ts'
import { colorings } from './color-by.ts'
import { type LiveFilters, defaultStates } from './live-filters.ts'

/** Options of the time since the last contact, in minutes. */
export const seenChoices = [5, 60, 1440] as const
/** Options of the minimum parking duration, in minutes. */
export const parkedChoices = [1440, 2880, 4320] as const
/** Options of the upper limit of the battery, in percent. */
export const batteryChoices = [10, 25, 50] as const

/** Two weeks. */
const maxSeenMinutes = 20_160

/** URL parameters of the live map. */
export const liveSearch = searchParams(
  {
    operators: distinguishEmpty(slugs),
    vehicle_types: listParam(enumParam(VehicleType.options)),
    /** In older links. */
    vehicle_type: enumParam(VehicleType.options),
    /** By default the states in the public right of way. */
    states: distinguishEmpty(listParam(enumParam(liveStateNames))),
    battery: integer(1, 100),
    seen: integer(1, maxSeenMinutes),
    parked: integer(1, maxParkedMinutes),
    color: enumParam(colorings, 'operator'),
    /** `operator:number` of the selected vehicle. */
    vehicle: matching(/^[a-z0-9][a-z0-9_-]{0,59}:.{1,200}$/),
    results: flag,
    ...tableParams,
    view,
  },
  readVehicleType,
  (state) => {
    const { states } = state
    const isDefault =
      states?.length === defaultStates.length && defaultStates.every((value) => states.includes(value))
    return isDefault ? { ...state, states: undefined } : state
  },
)
export type LiveSearch = SearchOf<typeof liveSearch>

/** Returns the filters of the URL. */
export const toFilters = (search: LiveSearch): LiveFilters => ({
  operators: search.operators ?? null,
  vehicleTypes: search.vehicle_types ?? null,
  states: search.states ?? defaultStates,
  batteryBelow: search.battery ?? null,
  maxSeenMinutes: search.seen ?? null,
  minParkedMinutes: search.parked ?? null,
})

/** Whether any filter is set. */
export const isFiltered = ({
  operators,
  vehicle_types,
  states,
  battery,
  seen,
  parked,
}: LiveSearch): boolean =>
  [operators, vehicle_types, states, battery, seen, parked].some((value) => value !== undefined)
