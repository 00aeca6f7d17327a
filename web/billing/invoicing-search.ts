import { InvoiceKind, InvoiceStatus, type listInvoices } from '#contract/invoices.ts'
import type { EndpointInput } from '#web/data/endpoint-url.ts'
import {
  day,
  enumParam,
  orderDays,
  type SearchOf,
  searchParams,
  slug,
  sort,
  tableParams,
  text,
} from '#web/shell/search-params.ts'

export const invoicingTabs = ['fees', 'invoices', 'payments', 'aging', 'charges', 'settings'] as const
export type InvoicingTab = (typeof invoicingTabs)[number]

/** Amounts in the monthly fee chart. */
export const feeMeasures = ['accrued', 'invoiced', 'paid', 'open'] as const
export type FeeMeasure = (typeof feeMeasures)[number]

/** Columns by which the server sorts invoices. */
export const invoiceOrders = [
  'number',
  'operator',
  'start_date',
  'issue_date',
  'due_date',
  'total',
  'open',
] as const
export const defaultInvoiceOrder = '-start_date'

/** URL parameters of fees and invoices. `payer`: the operator of a statement, or of its settings. */
export const readInvoicingSearch = searchParams(
  {
    tab: enumParam(invoicingTabs, 'fees'),
    measure: enumParam(feeMeasures, 'accrued'),
    ...tableParams,
    sort: sort(invoiceOrders, defaultInvoiceOrder),
    operator: slug,
    payer: slug,
    status: enumParam(InvoiceStatus.options),
    kind: enumParam(InvoiceKind.options),
    start_date: day,
    end_date: day,
    search: text(80),
  },
  orderDays('start_date', 'end_date'),
)
export type InvoicingSearch = SearchOf<typeof readInvoicingSearch>

/** Returns the parameters that another tab takes over: the operator of the invoices. */
export const searchOfTab = (tab: InvoicingTab, { operator }: InvoicingSearch): InvoicingSearch => ({
  tab: tab === 'fees' ? undefined : tab,
  measure: undefined,
  sort: undefined,
  columns: undefined,
  page: undefined,
  size: undefined,
  operator: tab === 'invoices' || tab === 'payments' ? operator : undefined,
  payer: undefined,
  status: undefined,
  kind: undefined,
  start_date: undefined,
  end_date: undefined,
  search: undefined,
})

/** Returns the filters of the invoice list as API parameters. */
export const toInvoiceQuery = ({
  operator,
  status,
  kind,
  start_date,
  end_date,
  search,
  sort: order = defaultInvoiceOrder,
}: InvoicingSearch): EndpointInput<typeof listInvoices>['query'] => ({
  operator,
  status,
  kind,
  start_date,
  end_date,
  search,
  order_by: order,
})

/** Tests whether a filter may hide invoices. */
export const hasInvoiceFilters = (search: InvoicingSearch): boolean =>
  [search.operator, search.status, search.kind, search.start_date, search.search].some(
    (value) => value !== undefined,
  )
