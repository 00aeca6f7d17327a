import type { TFunction } from 'i18next'
import { readLineDetail } from '#contract/invoice-lines.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { formatRates } from '#contract/line-rates.ts'
import { storedLanguage } from '#web/i18n/start-i18n.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'

/** Formats a unit of the fee engine; units of other tariffs are returned unchanged. */
export const formatUnit = (t: TFunction, unit: string): string =>
  unit === '' ? '' : t(`billing:unit.${unit.replaceAll(' ', '_')}`, { defaultValue: unit })

type NamedLine = Pick<InvoiceLine, 'policy_name' | 'description' | 'rates'>

const formatLineRates = ({ rates }: NamedLine): string => formatRates(rates, storedLanguage())

/** Formats a line in English, as stored: policy and description, which often begins with the policy. */
export const formatStoredLine = ({ policy_name: policy, description }: NamedLine): string =>
  description.startsWith(policy) ? description : `${policy}: ${description}`

/** Formats what the description of a line says besides the name of its fee; may be empty. */
function formatLineDescription(t: TFunction, line: NamedLine): string {
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

/** Formats the text of a line besides the name of its fee; may be empty. */
export const formatLineDetail = (t: TFunction, line: NamedLine): string =>
  [formatLineDescription(t, line), formatLineRates(line)].filter(Boolean).join(', ')

/** Formats the text of a line: the name of its fee, and further details. */
export function formatLine(t: TFunction, line: NamedLine): string {
  const { kind } = readLineDetail(line)
  const text =
    kind === 'none' || kind === 'other'
      ? formatStoredLine(line)
      : `${line.policy_name}${kind === 'vehicle_type' ? ',' : ':'} ${formatLineDescription(t, line)}`
  return [text, formatLineRates(line)].filter(Boolean).join(', ')
}
