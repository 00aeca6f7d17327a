import type { TFunction } from 'i18next'
import { readLineDetail } from '#contract/invoice-lines.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'

/** Name of a unit of the fee engine; units of other tariffs are returned unchanged. */
export const unitText = (t: TFunction, unit: string): string =>
  unit === '' ? '' : t(`billing:unit.${unit.replaceAll(' ', '_')}`, { defaultValue: unit })

type NamedLine = Pick<InvoiceLine, 'policy_name' | 'description'>

/** The text of a line in English, as stored: policy and description, which often begins with the policy. */
export const storedLineText = ({ policy_name: policy, description }: NamedLine): string =>
  description.startsWith(policy) ? description : `${policy}: ${description}`

/** The text of a line besides the name of its fee; may be empty. */
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

/** The text of a line: the name of its fee, and further details. */
export function lineText(t: TFunction, line: NamedLine): string {
  const { kind } = readLineDetail(line)
  if (kind === 'none' || kind === 'other') return storedLineText(line)
  return `${line.policy_name}${kind === 'vehicle_type' ? ',' : ':'} ${lineDetailText(t, line)}`
}
