import { auditOrders } from '#contract/users.ts'
import { parseOrder } from '#web/kit/sort-rows.ts'

export interface AuditSearch {
  search?: string | undefined
  /** As whom, or by whom, it was done. */
  user_id?: string | undefined
  /** Only what was done in another's name. */
  impersonated?: true | undefined
  start_date?: string | undefined
  end_date?: string | undefined
  /** What the log is sorted by, where it is not the time. */
  sort?: ReturnType<typeof auditSort>
  page?: number | undefined
}

const day = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const text = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

const inOrder = (
  start: string | undefined,
  end: string | undefined,
): Pick<AuditSearch, 'start_date' | 'end_date'> => {
  const [start_date, end_date] = start && end && start > end ? [end, start] : [start, end]
  return { ...(start_date ? { start_date } : {}), ...(end_date ? { end_date } : {}) }
}

export const auditSort = parseOrder(auditOrders, '-at')

export const auditSearch = ({
  search,
  user_id,
  impersonated,
  start_date,
  end_date,
  sort,
  page,
}: Record<string, unknown>): AuditSearch => ({
  ...(text(search) ? { search: String(search) } : {}),
  ...(text(user_id) ? { user_id: String(user_id) } : {}),
  ...(impersonated === true ? { impersonated } : {}),
  ...inOrder(day(start_date) ? start_date : undefined, day(end_date) ? end_date : undefined),
  ...(auditSort(sort) ? { sort: auditSort(sort) } : {}),
  ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
})

/** What is asked of the server: the filters without the page. */
export const auditAsk = ({ page: _page, sort, impersonated, ...filters }: AuditSearch) => ({
  ...filters,
  ...(sort ? { order_by: sort } : {}),
  ...(impersonated ? { impersonated: 'true' as const } : {}),
})
