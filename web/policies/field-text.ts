import { PolicyFields } from '#contract/policy.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { formatMoney } from '#web/kit/format.ts'
import { formatTimeWindow } from './clock-text.ts'
import { formatDaysOfWeek } from './days-text.ts'
import { formatPlace } from './place-text.ts'
import { formatPriceLines } from './price-text.ts'
import { formatPolicyType } from './type-text.ts'
import {
  formatOperators,
  formatPropulsionTypes,
  formatVehicleStates,
  formatVehicleTypes,
} from './who-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

type Field = keyof PolicyFields

const formatOptionalDay = (value: string | null, { language, t }: PolicyTextContext): string =>
  value === null ? t('policies:none') : formatMediumDay(value, language)

/** Formats the fields of a policy, by field. */
const formatters: Partial<Record<Field, (policy: PolicyFields, context: PolicyTextContext) => string>> = {
  policy_type: ({ policy_type: type }, { t }) => formatPolicyType(t, type),
  shape_layer_uuid: (policy, context) => formatPlace({ ...policy, shape_uuids: [] }, context),
  shape_uuids: ({ shape_uuids: shapes }, { t }) =>
    shapes.length ? t('policies:where.shapes', { count: shapes.length }) : t('policies:where.allShapes'),
  unit: ({ unit }, { t }) => (unit ? t(`policies:unit.${unit}`) : t('policies:none')),
  allocation: ({ allocation }, { t }) =>
    allocation ? t(`policies:allocation.${allocation}`) : t('policies:none'),
  operators: formatOperators,
  vehicle_types: formatVehicleTypes,
  vehicle_states: formatVehicleStates,
  propulsion_types: formatPropulsionTypes,
  value: ({ value }, { currency, language, t }) =>
    value === null ? t('policies:none') : formatMoney(value, currency, language),
  fee_properties: ({ fee_properties: fee }, context) =>
    [
      fee.parking_fee_type ? context.t(`policies:structure.${fee.parking_fee_type}`) : '',
      fee.vehicle_count_method ? context.t(`policies:count.${fee.vehicle_count_method}`) : '',
      ...formatPriceLines(fee, context),
    ]
      .filter(Boolean)
      .join('; ') || context.t('policies:none'),
  start_time: ({ start_time: start }, { t }) =>
    start === null ? t('policies:none') : formatTimeWindow(start, null),
  end_time: ({ end_time: end }, { t }) => (end === null ? t('policies:none') : formatTimeWindow(null, end)),
  days: ({ days }, { t, language }) => formatDaysOfWeek(t, days, language),
  messages: ({ messages }, { t }) =>
    Object.entries(messages)
      .map(([locale, text]) => `${locale}: ${text}`)
      .join('; ') || t('policies:none'),
  start_date: ({ start_date: start }, context) => formatOptionalDay(start, context),
  end_date: ({ end_date: end }, context) => formatOptionalDay(end, context),
}

/** Formats a field of a policy. Values are parsed with the contract; unknown ones are shown unchanged. */
export function formatField(field: string, value: unknown, context: PolicyTextContext): string {
  const parsed = PolicyFields.partial().safeParse({ [field]: value })
  const format = formatters[field as Field]
  if (parsed.success && format) return format({ ...PolicyFields.parse({}), ...parsed.data }, context)
  if (value === null || value === undefined || value === '') return context.t('policies:none')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** Returns the name of a field in the language of the user. */
export const fieldName = (field: string, { t }: PolicyTextContext): string =>
  t(`policies:field.${field}`, { defaultValue: field.replaceAll('_', ' ') })
