import type { VehicleTrack, Step } from '../../vehicle-track.ts'

/** A vehicle from one thing that it told to the next. */
export interface Stay extends Omit<Step, 'speed'>, Pick<VehicleTrack, 'vehicleType'> {
  /** Its number among the operator's vehicles, in the order of their ids. */
  vehicle: number
  deviceId: string
  /** Epoch ms, not included. */
  until: number
  /** Numbers of the areas that it stands in. */
  areas: readonly number[]
}

/** What a vehicle is driven by, and what it offers to those who need it. */
export type Traits = Pick<VehicleTrack, 'propulsionTypes' | 'accessibility'>
