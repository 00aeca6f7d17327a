import type { z } from 'zod'
import { endOfDay, startOfDay } from '#contract/civil-clock.ts'
import type { AuditEntry, listAudit as contract } from '#contract/users.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { toLikePattern, parseOrderBy, countTotal } from '#server/stores/list-query.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy } from './administer.ts'

type AuditQuery = z.output<(typeof contract)['request']['query']>

/** Returns a page of audit entries of users whom the viewer can see. Both days, in `timezone`, are included. */
export async function listAudit(
  state: State,
  viewer: Viewer,
  query: AuditQuery,
): Promise<{ items: AuditEntry[]; total: number; page: number; size: number }> {
  let selection = state.as(viewer.scope).selectFrom('audit')
  if (!viewer.allRegions)
    selection = selection.where('user_id', 'in', (eb) =>
      eb.selectFrom('user').select('user.id').where(isAdministeredBy(viewer)),
    )
  const { search, user_id: userId } = query
  if (search) {
    const pattern = toLikePattern(search)
    selection = selection.where((is) =>
      is.or([
        is('user_email', 'ilike', pattern),
        is('admin_email', 'ilike', pattern),
        is('action', 'ilike', pattern),
        is('path', 'ilike', pattern),
      ]),
    )
  }
  if (userId)
    selection = selection.where((is) => is.or([is('user_id', '=', userId), is('admin_id', '=', userId)]))
  if (query.impersonated)
    selection = selection.where('admin_id', query.impersonated === 'true' ? 'is not' : 'is', null)
  if (query.start_date)
    selection = selection.where('at', '>=', new Date(startOfDay(query.start_date, query.timezone)))
  if (query.end_date)
    selection = selection.where('at', '<', new Date(endOfDay(query.end_date, query.timezone)))
  const total = await countTotal(selection)
  const [key, direction] = parseOrderBy(query.order_by)
  const orderColumns = { at: 'at', action: 'action', result: 'status', path: 'path' } as const
  const sortedSelection =
    key === 'actor'
      ? selection.orderBy(({ fn }) => fn.coalesce('admin_email', 'user_email'), direction)
      : selection.orderBy(orderColumns[key], direction)
  const rows = await sortedSelection
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('audit_id', 'desc')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  const items = rows.map(({ audit_id, at, organization_id: _organizationId, ...row }) => ({
    id: String(audit_id),
    at: at.toISOString(),
    ...row,
  }))
  return { items, total, page: query.page, size: query.size }
}
