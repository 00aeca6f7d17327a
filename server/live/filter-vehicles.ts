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
  allowed: readonly string[] | null,
  { operators, vehicle_types, states }: VehicleFilters,
): Iterable<LiveVehicle> {
  const matches = (list: readonly string[], value: string): boolean =>
    list.length === 0 || list.includes(value)
  for (const vehicle of vehicles)
    if (
      (!allowed || allowed.includes(vehicle.operator)) &&
      matches(operators, vehicle.operator) &&
      matches(vehicle_types, vehicle.vehicleType) &&
      matches(states, vehicle.state)
    )
      yield vehicle
}
