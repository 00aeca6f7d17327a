import type { z } from 'zod'
import type { listUsers as contract, ManagedUser } from '#contract/users.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { likePattern, parseOrderBy } from '#server/stores/like-pattern.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy } from './administer.ts'
import { findManagedUsers } from './find-managed-users.ts'

type UserOrder = z.output<(typeof contract)['ask']['query']>['order_by']

/** A page of the users that an administrator can see, searched by e-mail or name. */
export async function listUsers(
  state: State,
  viewer: Viewer,
  query: { page: number; size: number; order_by: UserOrder; search?: string | undefined },
): Promise<{ items: ManagedUser[]; total: number; page: number; size: number }> {
  let selection = state.as(viewer.scope).selectFrom('user').where(isAdministeredBy(viewer))
  const { search } = query
  if (search)
    selection = selection.where((is) =>
      is.or([is('email', 'ilike', likePattern(search)), is('name', 'ilike', likePattern(search))]),
    )
  const { total } = await selection
    .select((of) => of.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const [key, direction] = parseOrderBy(query.order_by)
  const columns = {
    email: ['email'],
    name: ['name'],
    state: ['disabled', 'invited'],
    last_sign_in: ['lastSignInTime'],
  } as const
  for (const column of columns[key]) selection = selection.orderBy(column, direction)
  const rows = await selection
    .select('id')
    .orderBy('email')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
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
    page: query.page,
    size: query.size,
  }
}
