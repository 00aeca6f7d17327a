import type { TFunction } from 'i18next'
import type { InvoiceLine } from '#contract/invoices.ts'

/** A unit of the fee engine as it is read; of tariffs with other units, the unit itself. */
export const unitText = (t: TFunction, unit: string): string =>
  unit === '' ? '' : t(`billing:unit.${unit.replaceAll(' ', '_')}`, { defaultValue: unit })

/** What a line charges: policies are often named as what they charge. */
export const lineText = ({
  policy_name: policy,
  description,
}: Pick<InvoiceLine, 'policy_name' | 'description'>): string =>
  description.startsWith(policy) ? description : `${policy}: ${description}`
