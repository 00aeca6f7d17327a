import type { VehicleType } from '#contract/mobility.ts'

const forms: Readonly<Record<string, VehicleType>> = {
  car: 'car',
  moped: 'moped',
  scooter: 'scooter',
  scooter_standing: 'scooter_standing',
  scooter_seated: 'scooter_seated',
}

/** Our vehicle type of a form factor and a propulsion of GBFS; a bicycle without a motor is a pedal bicycle. */
export function vehicleTypeOfForm(formFactor: string, propulsion: string): VehicleType {
  const form = formFactor.toLowerCase()
  if (form === 'bicycle' || form === 'cargo_bicycle')
    return propulsion.toLowerCase() === 'human' ? 'pedal_bicycle' : 'bicycle'
  return Object.hasOwn(forms, form) ? (forms[form] ?? 'other') : 'other'
}
