import { RawAnswer } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { requireAdministered } from './administer.ts'
import { findManagedUser } from './find-managed-users.ts'

/** Rows of one table in the file; what is beyond is counted. */
const maxRows = 20_000

/** Everything that is stored about a user, as a file: for requests of the person. */
export async function personData(state: State, viewer: Viewer, userId: string, at: Date): Promise<RawAnswer> {
  const user = await findManagedUser(state, viewer, userId)
  await requireAdministered(state, viewer, userId)
  const tables = await state.maintenance.rowsAbout(user, maxRows)
  const content = {
    user: { id: user.id, email: user.email, name: user.name },
    created_time: at.toISOString(),
    note: 'Passwords, tokens and keys are stored as hashes or encrypted, and left out.',
    tables,
  }
  return new RawAnswer(Buffer.from(`${JSON.stringify(content, null, 2)}\n`), {
    'content-type': 'application/json',
    'content-disposition': 'attachment; filename="person-data.json"',
    'cache-control': 'no-store',
  })
}
