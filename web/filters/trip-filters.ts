import { VehicleType } from '#contract/mobility.ts'
import type { HourRange } from '#contract/period.ts'
import { enumParam, hours, listParam, slugs, weekdays } from '#web/shell/search-params.ts'
import { periodParams } from './period.ts'

const vehicleTypesParam = listParam(enumParam(VehicleType.options))

/** URL parameters of the filters that all maps of trips have. */
export const tripFilterParams = {
  ...periodParams,
  days: weekdays,
  hours,
  operators: slugs,
  vehicle_types: vehicleTypesParam,
  /** Parameter of old links; `readVehicleType` moves it to `vehicle_types`. */
  vehicle_type: enumParam(VehicleType.options),
}

/** Rule for `tripFilterParams`: old links have a single vehicle type. */
export const readVehicleType = <
  S extends { vehicle_types?: VehicleType[] | undefined; vehicle_type?: VehicleType | undefined },
>(
  state: S,
): S => ({
  ...state,
  vehicle_types: state.vehicle_types ?? (state.vehicle_type && [state.vehicle_type]),
  vehicle_type: undefined,
})

/** Converts hours of the URL (0 to 24, end excluded) to the API: first and last hour, both included. */
export const hourRange = ([from, until]: readonly [number, number] = [0, 24]): HourRange => [from, until - 1]
