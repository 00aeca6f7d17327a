export interface AuditSearch {
  search?: string | undefined
  /** As whom, or by whom, it was done. */
  user_id?: string | undefined
  /** Only what was done in another's name. */
  impersonated?: true | undefined
  start_date?: string | undefined
  end_date?: string | undefined
  page?: number | undefined
}

const day = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const text = (value: unknown): value is string | number => (typeof value === 'string' && value !== '') || typeof value === 'number'

export const auditSearch = ({ search, user_id, impersonated, start_date, end_date, page }: Record<string, unknown>): AuditSearch => ({
  ...(text(search) ? { search: String(search) } : {}),
  ...(text(user_id) ? { user_id: String(user_id) } : {}),
  ...(impersonated === true ? { impersonated } : {}),
  ...(day(start_date) ? { start_date } : {}),
  ...(day(end_date) ? { end_date } : {}),
  ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
})

/** What is asked of the server: the filters without the page. */
export const auditAsk = ({ page: _page, impersonated, ...filters }: AuditSearch) => ({ ...filters, ...(impersonated ? { impersonated: 'true' as const } : {}) })
