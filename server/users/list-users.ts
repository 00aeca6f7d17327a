import type { z } from 'zod'
import type { listUsers as contract, ManagedUser } from '#contract/users.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { likePattern, parseOrderBy } from '#server/stores/like-pattern.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy } from './administer.ts'
import { findManagedUsers } from './find-managed-users.ts'

type UserOrder = z.output<(typeof contract)['ask']['query']>['order_by']

/** Users that an administrator can see, searched by e-mail or name, sorted, one page. */
export async function listUsers(
  state: State,
  viewer: Viewer,
  ask: { page: number; size: number; order_by: UserOrder; search?: string | undefined },
): Promise<{ items: ManagedUser[]; total: number; page: number; size: number }> {
  let found = state.as(viewer.scope).selectFrom('user').where(isAdministeredBy(viewer))
  const { search } = ask
  if (search)
    found = found.where((is) =>
      is.or([is('email', 'ilike', likePattern(search)), is('name', 'ilike', likePattern(search))]),
    )
  const { total } = await found.select((of) => of.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const [key, direction] = parseOrderBy(ask.order_by)
  const columns = {
    email: ['email'],
    name: ['name'],
    state: ['disabled', 'invited'],
    last_sign_in: ['lastSignInTime'],
  } as const
  for (const column of columns[key]) found = found.orderBy(column, direction)
  const rows = await found
    .select('id')
    .orderBy('email')
    .limit(ask.size)
    .offset((ask.page - 1) * ask.size)
    .execute()
  const users = new Map(
    (
      await findManagedUsers(
        state,
        viewer,
        rows.map(({ id }) => id),
      )
    ).map((user) => [user.id, user]),
  )
  return {
    items: rows.flatMap(({ id }) => users.get(id) ?? []),
    total: Number(total),
    page: ask.page,
    size: ask.size,
  }
}
