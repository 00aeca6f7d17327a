import { dayNumber } from './day-number.ts'

export type DemoVehicleType = 'scooter_standing' | 'scooter_seated' | 'bicycle' | 'pedal_bicycle'

/** A fictional operator: its fleet, districts and launch date. */
export interface DemoOperator {
  slug: string
  name: string
  colorHex: string
  fleet: readonly { vehicleType: DemoVehicleType; vehicles: number }[]
  /** Districts in which its trips start and end. */
  districts: readonly string[]
  /** Trips per vehicle on a mild dry weekday. */
  tripsPerVehicle: number
  /** First local date of service, YYYY-MM-DD; undefined: before the history begins. */
  launchedOn: string | undefined
  /** MDS provider ID; undefined for an operator with GBFS only. */
  providerId: string | undefined
}

/** Returns whether an operator is in service on a local day (days since 1970-01-01). */
export function isInService({ launchedOn }: DemoOperator, day: number): boolean {
  return launchedOn === undefined || day >= dayNumber(launchedOn)
}

export const operators: readonly DemoOperator[] = [
  {
    slug: 'zephyr',
    name: 'Zephyr',
    colorHex: '#0E9F6E',
    fleet: [
      { vehicleType: 'scooter_standing', vehicles: 1180 },
      { vehicleType: 'scooter_seated', vehicles: 120 },
    ],
    districts: ['Old Port', 'Midtown', 'Northbank', 'Eastshore', 'Harborside', 'Westgate'],
    tripsPerVehicle: 3.1,
    launchedOn: undefined,
    providerId: '8d4b0c1e-6f2a-4c57-9b1d-2e7a5f3c9a10',
  },
  {
    slug: 'ternbikes',
    name: 'Tern Bikes',
    colorHex: '#2563EB',
    fleet: [
      { vehicleType: 'pedal_bicycle', vehicles: 430 },
      { vehicleType: 'bicycle', vehicles: 420 },
    ],
    districts: ['Old Port', 'Midtown', 'Northbank', 'Southfield', 'Westgate', 'Highlands'],
    tripsPerVehicle: 2.7,
    launchedOn: undefined,
    providerId: '3c7f9e52-1b8d-4e06-8a4f-90d6c2b71e34',
  },
  {
    slug: 'hopkite',
    name: 'Hopkite',
    colorHex: '#D9480F',
    fleet: [
      { vehicleType: 'scooter_standing', vehicles: 380 },
      { vehicleType: 'bicycle', vehicles: 170 },
    ],
    districts: ['Old Port', 'Midtown', 'Southfield', 'Harborside'],
    tripsPerVehicle: 3.3,
    launchedOn: '2026-05-18',
    providerId: 'b5e21f78-9c34-4d8a-a6e7-14f08b3d5c62',
  },
  {
    slug: 'sandpiper',
    name: 'Sandpiper',
    colorHex: '#9333EA',
    fleet: [
      { vehicleType: 'pedal_bicycle', vehicles: 190 },
      { vehicleType: 'scooter_seated', vehicles: 130 },
    ],
    districts: ['Eastshore', 'Harborside', 'Old Port'],
    tripsPerVehicle: 2.9,
    launchedOn: undefined,
    providerId: undefined,
  },
]
