import { formatMoney } from '#web/kit/format.ts'
import { PolicyFields } from '#contract/policy.ts'
import { timesText } from './clock-text.ts'
import { daysText } from './days-text.ts'
import { placeText } from './place-text.ts'
import { priceLines } from './price-text.ts'
import { typeText } from './type-text.ts'
import { operatorsText, propulsionText, statesText, vehicleTypesText } from './who-text.ts'
import type { WordGround } from './word-ground.ts'

type Field = keyof PolicyFields

const day = (value: string | null, { language, t }: WordGround): string =>
  value === null
    ? t('policies:none')
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(value))

const texts: Partial<Record<Field, (policy: PolicyFields, ground: WordGround) => string>> = {
  policy_type: ({ policy_type: type }, { t }) => typeText(t, type),
  shape_layer_uuid: (policy, ground) => placeText({ ...policy, shape_uuids: [] }, ground),
  shape_uuids: ({ shape_uuids: shapes }, { t }) =>
    shapes.length ? t('policies:where.shapes', { count: shapes.length }) : t('policies:where.allShapes'),
  unit: ({ unit }, { t }) => (unit ? t(`policies:unit.${unit}`) : t('policies:none')),
  allocation: ({ allocation }, { t }) =>
    allocation ? t(`policies:allocation.${allocation}`) : t('policies:none'),
  operators: operatorsText,
  vehicle_types: vehicleTypesText,
  vehicle_states: statesText,
  propulsion_types: propulsionText,
  value: ({ value }, { currency, language, t }) =>
    value === null ? t('policies:none') : formatMoney(value, currency, language),
  fee_properties: ({ fee_properties: fee }, ground) =>
    [
      fee.parking_fee_type ? ground.t(`policies:structure.${fee.parking_fee_type}`) : '',
      fee.vehicle_count_method ? ground.t(`policies:count.${fee.vehicle_count_method}`) : '',
      ...priceLines(fee, ground),
    ]
      .filter(Boolean)
      .join('; ') || ground.t('policies:none'),
  start_time: ({ start_time: start }, { t }) =>
    start === null ? t('policies:none') : timesText(start, null),
  end_time: ({ end_time: end }, { t }) => (end === null ? t('policies:none') : timesText(null, end)),
  days: ({ days }, { t, language }) => daysText(t, days, language),
  messages: ({ messages }, { t }) =>
    Object.entries(messages)
      .map(([locale, text]) => `${locale}: ${text}`)
      .join('; ') || t('policies:none'),
  start_date: ({ start_date: start }, ground) => day(start, ground),
  end_date: ({ end_date: end }, ground) => day(end, ground),
}

/** One field of a policy as it is read. Values that came over the wire are read by the contract; what it does not know is told as it is. */
export function fieldText(field: string, value: unknown, ground: WordGround): string {
  const read = PolicyFields.partial().safeParse({ [field]: value })
  const words = texts[field as Field]
  if (read.success && words) return words({ ...PolicyFields.parse({}), ...read.data }, ground)
  if (value === null || value === undefined || value === '') return ground.t('policies:none')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** What a field is called. */
export const fieldName = (field: string, { t }: WordGround): string =>
  t(`policies:field.${field}`, { defaultValue: field.replaceAll('_', ' ') })
