import type { TFunction } from 'i18next'
import { readLineDetail } from '#contract/invoice-lines.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'

/** A unit of the fee engine as it is read; of tariffs with other units, the unit itself. */
export const unitText = (t: TFunction, unit: string): string =>
  unit === '' ? '' : t(`billing:unit.${unit.replaceAll(' ', '_')}`, { defaultValue: unit })

type NamedLine = Pick<InvoiceLine, 'policy_name' | 'description'>

/** What a line charges, in English as it is stored: policies are often named as what they charge. */
export const storedLineText = ({ policy_name: policy, description }: NamedLine): string =>
  description.startsWith(policy) ? description : `${policy}: ${description}`

/** What a line says besides the name of its fee; empty: nothing. */
export function lineDetailText(t: TFunction, line: NamedLine): string {
  const detail = readLineDetail(line)
  switch (detail.kind) {
    case 'none':
      return ''
    case 'vehicle_type':
      return vehicleTypeName(detail.type)
    case 'other':
      return detail.text
    default:
      return t(`billing:lines.detail.${detail.kind}`, { ...detail })
  }
}

/** What a line charges: the name of its fee, and what else it says. */
export function lineText(t: TFunction, line: NamedLine): string {
  const { kind } = readLineDetail(line)
  if (kind === 'none' || kind === 'other') return storedLineText(line)
  return `${line.policy_name}${kind === 'vehicle_type' ? ',' : ':'} ${lineDetailText(t, line)}`
}
