import { auditOrders } from '#contract/users.ts'
import { day, flag, page, searchParams, sort, text, type SearchOf } from '#web/shell/search-params.ts'

export const auditSort = sort(auditOrders, '-at')

/** URL parameters of the audit log. A range of days may have one end only. */
export const auditSearch = searchParams(
  {
    search: text(),
    /** The actor, or the user in whose name an administrator acted. */
    user_id: text(),
    /** Actions of administrators in the name of others only. */
    impersonated: flag,
    start_date: day,
    end_date: day,
    sort: auditSort,
    page,
  },
  ({ start_date, end_date, ...state }) =>
    start_date && end_date && start_date > end_date
      ? { ...state, start_date: end_date, end_date: start_date }
      : { ...state, start_date, end_date },
)
export type AuditSearch = SearchOf<typeof auditSearch>

/** The filters as the API takes them, without the page. */
export const auditQuery = ({ page: _page, sort: order_by, impersonated, ...filters }: AuditSearch) => ({
  ...filters,
  ...(order_by ? { order_by } : {}),
  ...(impersonated ? { impersonated: 'true' as const } : {}),
})
