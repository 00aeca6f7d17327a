import type { ManagedUser } from '#contract/users.ts'
import { likePattern } from '#server/stores/like-pattern.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findManagedUsers } from './find-managed-users.ts'

/** Users of the Scope's organization by e-mail, searched by e-mail or name, one page. */
export async function listUsers(state: State, scope: Scope, ask: { page: number; size: number; search?: string | undefined }): Promise<{ items: ManagedUser[]; total: number; page: number; size: number }> {
  let found = state.as(scope).selectFrom('user')
  const { search } = ask
  if (search) found = found.where((is) => is.or([is('email', 'ilike', likePattern(search)), is('name', 'ilike', likePattern(search))]))
  const { total } = await found.select((of) => of.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await found.select('id').orderBy('email').limit(ask.size).offset((ask.page - 1) * ask.size).execute()
  return { items: await findManagedUsers(state, scope, rows.map(({ id }) => id)), total: Number(total), page: ask.page, size: ask.size }
}
