import type { VehicleTrack, Step } from '../../vehicle-track.ts'

/** An interval of a vehicle: the time in which it was in one state. */
export interface VehicleInterval extends Omit<Step, 'speed'>, Pick<VehicleTrack, 'vehicleType'> {
  /** Index of the vehicle among the operator's vehicles, in order of ids. */
  vehicle: number
  deviceId: string
  /** Epoch ms, exclusive. */
  until: number
  /** Numbers of the areas that contain it. */
  areas: readonly number[]
}

/** Propulsion types and accessibility. */
export type Traits = Pick<VehicleTrack, 'propulsionTypes' | 'accessibility'>
