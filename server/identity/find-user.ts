import type { User } from '#contract/identity.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'

/** The signed-in user's own record. */
export async function findUser(state: State, viewer: Viewer): Promise<User> {
  const row = await state.as(viewer.scope).selectFrom('user').selectAll().where('id', '=', viewer.userId).executeTakeFirstOrThrow()
  return { id: row.id, email: row.email, name: row.name, organizationId: row.organizationId, acceptedTermsOfService: row.acceptedTermsOfService }
}

/** Changes name or accepted terms of the signed-in user. */
export async function changeOwnSettings(state: State, viewer: Viewer, change: { name?: string | undefined; acceptedTermsOfService?: boolean | undefined }): Promise<User> {
  const fields = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length) await state.as(viewer.scope).updateTable('user').set(fields).where('id', '=', viewer.userId).execute()
  return findUser(state, viewer)
}
