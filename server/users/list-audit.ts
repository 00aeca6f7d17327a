import type { AuditEntry } from '#contract/users.ts'
import { likePattern } from '#server/stores/like-pattern.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

interface Ask {
  page: number
  size: number
  search?: string | undefined
  user_id?: string | undefined
  impersonated?: 'true' | 'false' | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Acts of users of the Scope's organization, newest first. Days are in UTC, the last one included. */
export async function listAudit(state: State, scope: Scope, ask: Ask): Promise<{ items: AuditEntry[]; total: number; page: number; size: number }> {
  let found = state.as(scope).selectFrom('audit')
  const { search, user_id: userId } = ask
  if (search) {
    const pattern = likePattern(search)
    found = found.where((is) => is.or([is('user_email', 'ilike', pattern), is('admin_email', 'ilike', pattern), is('action', 'ilike', pattern), is('path', 'ilike', pattern)]))
  }
  if (userId) found = found.where((is) => is.or([is('user_id', '=', userId), is('admin_id', '=', userId)]))
  if (ask.impersonated) found = found.where('admin_id', ask.impersonated === 'true' ? 'is not' : 'is', null)
  if (ask.start_date) found = found.where('at', '>=', new Date(`${ask.start_date}T00:00:00Z`))
  if (ask.end_date) found = found.where('at', '<', new Date(Date.parse(`${ask.end_date}T00:00:00Z`) + 86_400_000))
  const { total } = await found.select((of) => of.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await found.selectAll().orderBy('at', 'desc').orderBy('audit_id', 'desc').limit(ask.size).offset((ask.page - 1) * ask.size).execute()
  const items = rows.map(({ audit_id, at, organization_id: _own, ...row }) => ({ id: String(audit_id), at: at.toISOString(), ...row }))
  return { items, total: Number(total), page: ask.page, size: ask.size }
}
