import type { TFunction } from 'i18next'
import { joinList, paymentKinds, transactionOrders } from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Filter } from '#web/filters/filter.ts'
import { selectedPeriod, orderPeriod, type Period, periodParams } from '#web/filters/period.ts'
import { currencyDecimals } from '#web/kit/format.ts'
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
const money = decimal(-1_000_000, 1_000_000)
const minutes = integer(0, 100_000)

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
    min_rate: money,
    max_rate: money,
    min_minutes: minutes,
    max_minutes: minutes,
    min_amount: money,
    max_amount: money,
  },
  orderPeriod,
)
export type TransactionsSearch = SearchOf<typeof transactionsSearch>

interface Context {
  today: LocalDay
  getDefaultPeriod: (today: LocalDay) => Period
  currency: string
}

/** Returns the query of the API for the selection of the URL. */
export function transactionQuery(search: TransactionsSearch, { today, getDefaultPeriod, currency }: Context) {
  const digits = 10 ** currencyDecimals(currency)
  const minor = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * digits))
  const [from, until] = search.hours ?? [0, 24]
  const list = (values: readonly string[] | undefined) => (values?.length ? joinList(values) : undefined)
  return {
    ...selectedPeriod(search, today, getDefaultPeriod),
    ...(search.hours ? { start_time_hour: from, end_time_hour: until - 1 } : {}),
    days: search.days?.join(','),
    kinds: list(search.kinds),
    payment_types: list(search.types),
    vendors: list(search.vendors),
    zones: list(search.zones),
    locations: list(search.locations),
    min_rate: minor(search.min_rate),
    max_rate: minor(search.max_rate),
    min_minutes: search.min_minutes,
    max_minutes: search.max_minutes,
    min_amount: minor(search.min_amount),
    max_amount: minor(search.max_amount),
  }
}

export interface PaymentChoices {
  vendors: readonly string[]
  types: readonly string[]
  zones: readonly { curb_zone_id: string; name: string }[]
}

/** Returns a select option; payments may have no payment type. */
export const wordOption = (value: string, t: TFunction) => ({
  value,
  text: value === '' ? t('curb:payments.unnamed') : value,
})

/** Returns the filters of the Transactions page. */
export function transactionFilters(
  { today, getDefaultPeriod, currency }: Context,
  { vendors, types, zones }: PaymentChoices,
  t: TFunction,
): Filter[] {
  const label = (key: string): string => t(`curb:payments.filter.${key}`)
  return [
    { kind: 'period', today, getDefault: getDefaultPeriod, subject: 'curb' },
    { kind: 'hours' },
    { kind: 'weekdays' },
    {
      kind: 'choices',
      key: 'types',
      label: label('types'),
      all: label('allTypes'),
      options: types.filter((type) => type !== '').map((type) => wordOption(type, t)),
    },
    {
      kind: 'choices',
      key: 'vendors',
      label: label('vendors'),
      all: label('allVendors'),
      options: vendors.map((vendor) => wordOption(vendor, t)),
    },
    {
      kind: 'choices',
      key: 'zones',
      label: label('zones'),
      all: label('allZones'),
      options: zones.map(({ curb_zone_id: value, name }) => ({ value, text: name })),
    },
    {
      kind: 'choices',
      key: 'kinds',
      label: label('kinds'),
      all: label('allKinds'),
      options: paymentKinds.map((value) => ({ value, text: t(`curb:payments.kind.${value}`) })),
    },
    { kind: 'range', key: 'amount', label: t('curb:payments.filter.amount', { currency }), decimals: 2 },
    { kind: 'range', key: 'rate', label: t('curb:payments.filter.rate', { currency }), decimals: 2 },
    { kind: 'range', key: 'minutes', label: label('minutes') },
  ]
}
