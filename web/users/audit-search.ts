import { auditOrders } from '#contract/users.ts'
import { day, flag, searchParams, sort, tableParams, text, type SearchOf } from '#web/shell/search-params.ts'

/** URL parameters of the audit log. The range of days may be open at one end. */
export const auditSearch = searchParams(
  {
    search: text(),
    /** The actor, or the user that an administrator impersonated. */
    user_id: text(),
    /** Only actions of impersonating administrators. */
    impersonated: flag,
    start_date: day,
    end_date: day,
    ...tableParams,
    sort: sort(auditOrders, '-at'),
  },
  ({ start_date, end_date, ...state }) =>
    start_date && end_date && start_date > end_date
      ? { ...state, start_date: end_date, end_date: start_date }
      : { ...state, start_date, end_date },
)
export type AuditSearch = SearchOf<typeof auditSearch>

/** Returns the filters as parameters of the API, without the page. Days are in the given time zone. */
export const toAuditQuery = (
  { page: _page, size: _size, columns: _columns, sort: order_by, impersonated, ...filters }: AuditSearch,
  timezone: string,
) => ({
  ...filters,
  ...(filters.start_date || filters.end_date ? { timezone } : {}),
  ...(order_by ? { order_by } : {}),
  ...(impersonated ? { impersonated: 'true' as const } : {}),
})
