import type { TFunction } from 'i18next'
import { joinList, paymentKinds, transactionOrders } from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Filter } from '#web/filters/filter.ts'
import { selectedPeriod, orderPeriod, type Period, periodParams } from '#web/filters/period.ts'
import { getCurrencyDecimals } from '#web/kit/format.ts'
import {
  decimal,
  enumListParam,
  hours,
  integer,
  listParam,
  type SearchOf,
  searchParams,
  sort,
  tableParams,
  text,
  weekdays,
} from '#web/shell/search-params.ts'

const textList = listParam(text(500))
const amountParam = decimal(-1_000_000, 1_000_000)
const minutesParam = integer(0, 100_000)

/** URL parameters of the Transactions page. Amounts and rates are in major units of the currency. */
export const transactionsSearch = searchParams(
  {
    ...periodParams,
    ...tableParams,
    sort: sort(transactionOrders, '-paid_time'),
    days: weekdays,
    hours,
    kinds: enumListParam(paymentKinds),
    types: textList,
    vendors: textList,
    zones: textList,
    locations: textList,
    min_rate: amountParam,
    max_rate: amountParam,
    min_minutes: minutesParam,
    max_minutes: minutesParam,
    min_amount: amountParam,
    max_amount: amountParam,
  },
  orderPeriod,
)
export type TransactionsSearch = SearchOf<typeof transactionsSearch>

interface TransactionsContext {
  today: LocalDay
  getDefaultPeriod: (today: LocalDay) => Period
  currency: string
}

/** Returns the query of the API for the selection of the URL: amounts in minor units, inclusive end hour. */
export function toTransactionQuery(
  search: TransactionsSearch,
  { today, getDefaultPeriod, currency }: TransactionsContext,
) {
  const minorPerMajor = 10 ** getCurrencyDecimals(currency)
  const toMinor = (value: number | undefined) =>
    value === undefined ? undefined : Math.round(value * minorPerMajor)
  const [startHour, endHour] = search.hours ?? [0, 24]
  const joinValues = (values: readonly string[] | undefined) =>
    values?.length ? joinList(values) : undefined
  return {
    ...selectedPeriod(search, today, getDefaultPeriod),
    ...(search.hours ? { start_time_hour: startHour, end_time_hour: endHour - 1 } : {}),
    days: search.days?.join(','),
    kinds: joinValues(search.kinds),
    payment_types: joinValues(search.types),
    vendors: joinValues(search.vendors),
    zones: joinValues(search.zones),
    locations: joinValues(search.locations),
    min_rate: toMinor(search.min_rate),
    max_rate: toMinor(search.max_rate),
    min_minutes: search.min_minutes,
    max_minutes: search.max_minutes,
    min_amount: toMinor(search.min_amount),
    max_amount: toMinor(search.max_amount),
  }
}

export interface PaymentChoices {
  vendors: readonly string[]
  types: readonly string[]
  zones: readonly { curb_zone_id: string; name: string }[]
}

/** Returns the option of a vendor or payment type; `''` if payments name none. */
export const toNameOption = (value: string, t: TFunction) => ({
  value,
  text: value === '' ? t('curb:payments.unnamed') : value,
})

/** Returns the filters of the Transactions page. */
export function getTransactionFilters(
  { today, getDefaultPeriod, currency }: TransactionsContext,
  { vendors, types, zones }: PaymentChoices,
  t: TFunction,
): Filter[] {
  const getLabel = (key: string): string => t(`curb:payments.filter.${key}`)
  return [
    { kind: 'period', today, getDefault: getDefaultPeriod, subject: 'curb' },
    { kind: 'hours' },
    { kind: 'weekdays' },
    {
      kind: 'choices',
      key: 'types',
      label: getLabel('types'),
      all: getLabel('allTypes'),
      options: types.filter((type) => type !== '').map((type) => toNameOption(type, t)),
    },
    {
      kind: 'choices',
      key: 'vendors',
      label: getLabel('vendors'),
      all: getLabel('allVendors'),
      options: vendors.map((vendor) => toNameOption(vendor, t)),
    },
    {
      kind: 'choices',
      key: 'zones',
      label: getLabel('zones'),
      all: getLabel('allZones'),
      options: zones.map(({ curb_zone_id: value, name }) => ({ value, text: name })),
    },
    {
      kind: 'choices',
      key: 'kinds',
      label: getLabel('kinds'),
      all: getLabel('allKinds'),
      options: paymentKinds.map((value) => ({ value, text: t(`curb:payments.kind.${value}`) })),
    },
    { kind: 'range', key: 'amount', label: t('curb:payments.filter.amount', { currency }), decimals: 2 },
    { kind: 'range', key: 'rate', label: t('curb:payments.filter.rate', { currency }), decimals: 2 },
    { kind: 'range', key: 'minutes', label: getLabel('minutes') },
  ]
}
