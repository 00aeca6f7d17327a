import type { z } from 'zod'
import type { AuditEntry, listAudit as contract } from '#contract/users.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { likePattern, parseOrderBy } from '#server/stores/like-pattern.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy } from './administer.ts'

type Ask = z.output<(typeof contract)['ask']['query']>

/** Acts of users that the viewer can see, newest first unless sorted. Days are in UTC, the last one included. */
export async function listAudit(
  state: State,
  viewer: Viewer,
  ask: Ask,
): Promise<{ items: AuditEntry[]; total: number; page: number; size: number }> {
  let found = state.as(viewer.scope).selectFrom('audit')
  if (!viewer.allRegions)
    found = found.where('user_id', 'in', (of) =>
      of.selectFrom('user').select('user.id').where(isAdministeredBy(viewer)),
    )
  const { search, user_id: userId } = ask
  if (search) {
    const pattern = likePattern(search)
    found = found.where((is) =>
      is.or([
        is('user_email', 'ilike', pattern),
        is('admin_email', 'ilike', pattern),
        is('action', 'ilike', pattern),
        is('path', 'ilike', pattern),
      ]),
    )
  }
  if (userId) found = found.where((is) => is.or([is('user_id', '=', userId), is('admin_id', '=', userId)]))
  if (ask.impersonated) found = found.where('admin_id', ask.impersonated === 'true' ? 'is not' : 'is', null)
  if (ask.start_date) found = found.where('at', '>=', new Date(`${ask.start_date}T00:00:00Z`))
  if (ask.end_date)
    found = found.where('at', '<', new Date(Date.parse(`${ask.end_date}T00:00:00Z`) + 86_400_000))
  const { total } = await found.select((of) => of.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const [key, direction] = parseOrderBy(ask.order_by)
  const sorted =
    key === 'actor'
      ? found.orderBy(({ fn }) => fn.coalesce('admin_email', 'user_email'), direction)
      : found.orderBy(
          ({ at: 'at', action: 'action', result: 'status', path: 'path' } as const)[key],
          direction,
        )
  const rows = await sorted
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('audit_id', 'desc')
    .limit(ask.size)
    .offset((ask.page - 1) * ask.size)
    .execute()
  const items = rows.map(({ audit_id, at, organization_id: _own, ...row }) => ({
    id: String(audit_id),
    at: at.toISOString(),
    ...row,
  }))
  return { items, total: Number(total), page: ask.page, size: ask.size }
}
