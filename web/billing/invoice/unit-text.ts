import type { TFunction } from 'i18next'

/** A unit of the fee engine as it is read; of tariffs with other units, the unit itself. */
export const unitText = (t: TFunction, unit: string): string =>
  unit === '' ? '' : t(`billing:unit.${unit.replaceAll(' ', '_')}`, { defaultValue: unit })
