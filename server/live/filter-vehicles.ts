import type { LiveVehicle } from './live-vehicle.ts'

/** The requested filters; empty lists mean all. */
interface VehicleFilters {
  operators: readonly string[]
  vehicle_types: readonly string[]
  states: readonly string[]
}

/** Returns the vehicles that match the filters and belong to an allowed operator (null: all are allowed). */
export function* filterVehicles(
  vehicles: Iterable<LiveVehicle>,
  allowedOperators: readonly string[] | null,
  { operators, vehicle_types, states }: VehicleFilters,
): Iterable<LiveVehicle> {
  const matches = (filter: readonly string[], value: string): boolean =>
    filter.length === 0 || filter.includes(value)
  for (const vehicle of vehicles)
    if (
      (!allowedOperators || allowedOperators.includes(vehicle.operator)) &&
      matches(operators, vehicle.operator) &&
      matches(vehicle_types, vehicle.vehicleType) &&
      matches(states, vehicle.state)
    )
      yield vehicle
}
