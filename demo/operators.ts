export type DemoVehicleType = 'scooter_standing' | 'scooter_seated' | 'bicycle' | 'pedal_bicycle'

/** A made-up operator: what it runs, where and when. */
export interface DemoOperator {
  slug: string
  name: string
  colorHex: string
  fleet: readonly { vehicleType: DemoVehicleType; vehicles: number }[]
  /** Districts in which its trips start and end. */
  districts: readonly string[]
  /** Trips a day of a vehicle on a mild dry weekday. */
  tripsPerVehicle: number
  /** First local date of service, YYYY-MM-DD; undefined where it was always there. */
  launchedOn: string | undefined
  /** Months of service, 1 to 12; undefined for the whole year. */
  months: readonly number[] | undefined
}

export const operators: readonly DemoOperator[] = [
  {
    slug: 'zephyr', name: 'Zephyr', colorHex: '#0E9F6E',
    fleet: [{ vehicleType: 'scooter_standing', vehicles: 1180 }, { vehicleType: 'scooter_seated', vehicles: 120 }],
    districts: ['Old Port', 'Midtown', 'Northbank', 'Eastshore', 'Harborside', 'Westgate'],
    tripsPerVehicle: 3.1, launchedOn: undefined, months: undefined,
  },
  {
    slug: 'ternbikes', name: 'Tern Bikes', colorHex: '#2563EB',
    fleet: [{ vehicleType: 'pedal_bicycle', vehicles: 430 }, { vehicleType: 'bicycle', vehicles: 420 }],
    districts: ['Old Port', 'Midtown', 'Northbank', 'Southfield', 'Westgate', 'Highlands'],
    tripsPerVehicle: 2.7, launchedOn: undefined, months: undefined,
  },
  {
    slug: 'hopkite', name: 'Hopkite', colorHex: '#D9480F',
    fleet: [{ vehicleType: 'scooter_standing', vehicles: 380 }, { vehicleType: 'bicycle', vehicles: 170 }],
    districts: ['Old Port', 'Midtown', 'Southfield', 'Harborside'],
    tripsPerVehicle: 3.3, launchedOn: '2026-05-18', months: undefined,
  },
  {
    slug: 'sandpiper', name: 'Sandpiper', colorHex: '#9333EA',
    fleet: [{ vehicleType: 'pedal_bicycle', vehicles: 190 }, { vehicleType: 'scooter_seated', vehicles: 130 }],
    districts: ['Eastshore', 'Harborside', 'Old Port'],
    tripsPerVehicle: 2.9, launchedOn: undefined, months: [4, 5, 6, 7, 8, 9, 10],
  },
]
