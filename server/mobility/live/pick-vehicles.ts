import type { LiveVehicle } from './live-vehicle.ts'

/** What is asked for; empty lists mean all. */
interface Picking {
  operators: readonly string[]
  vehicle_types: readonly string[]
  states: readonly string[]
}

/** Vehicles that may be seen (`allowed`: operators, null all) and are asked for. */
export function* pickVehicles(
  vehicles: Iterable<LiveVehicle>,
  allowed: readonly string[] | null,
  { operators, vehicle_types, states }: Picking,
): Iterable<LiveVehicle> {
  const holds = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value)
  for (const vehicle of vehicles)
    if (
      (!allowed || allowed.includes(vehicle.operator)) &&
      holds(operators, vehicle.operator) &&
      holds(vehicle_types, vehicle.vehicleType) &&
      holds(states, vehicle.state)
    )
      yield vehicle
}
