import { RawResponse } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { requireAdministered } from './administer.ts'
import { findManagedUser } from './find-managed-users.ts'

/** Maximum number of rows of each table in the file, which also contains the total number. */
const maxRows = 20_000

/** Returns all that is stored about a user as a file, with which administrators answer requests of the user. */
export async function getPersonData(
  state: State,
  viewer: Viewer,
  userId: string,
  at: Date,
): Promise<RawResponse> {
  const user = await findManagedUser(state, viewer, userId)
  await requireAdministered(state, viewer, userId)
  return createPersonFile(state, user, at)
}

/** Returns all that is stored about the viewer as a file. */
export const getOwnData = (state: State, { userId, email }: Viewer, at: Date): Promise<RawResponse> =>
  createPersonFile(state, { id: userId, email }, at)

async function createPersonFile(
  state: State,
  { id, email }: { id: string; email: string },
  at: Date,
): Promise<RawResponse> {
  const tables = await state.maintenance.rowsOfPerson({ id, email }, maxRows)
  const content = {
    user: { id, email },
    created_time: at.toISOString(),
    note: 'Passwords, tokens and keys are stored as hashes or encrypted, and left out.',
    tables,
  }
  return new RawResponse(Buffer.from(`${JSON.stringify(content, null, 2)}\n`), {
    'content-type': 'application/json',
    'content-disposition': 'attachment; filename="person-data.json"',
    'cache-control': 'no-store',
  })
}
