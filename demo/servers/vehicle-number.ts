import type { LiveVehicle } from '../live/live-event.ts'

/** The number that stands on a vehicle, as in `ZE-0042`. */
export const vehicleNumber = ({ operator, index }: LiveVehicle): string =>
  `${operator.slug.slice(0, 2).toUpperCase()}-${String(index).padStart(4, '0')}`
