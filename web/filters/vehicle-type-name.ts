import i18next from 'i18next'
import { vehicleTypeTexts } from '#contract/mobility.ts'

const isKnown = (type: string): type is keyof typeof vehicleTypeTexts => Object.hasOwn(vehicleTypeTexts, type)

/** Name of a vehicle type in the language of the user; for an unknown type, its id. */
export function vehicleTypeName(type: string): string {
  const key = `filters:vehicleType.names.${type}`
  if (i18next.exists(key)) return i18next.t(key)
  return isKnown(type) ? vehicleTypeTexts[type] : type.replaceAll('_', ' ')
}
