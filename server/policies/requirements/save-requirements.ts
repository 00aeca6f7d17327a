import type { Requirements, saveRequirements as contract } from '#contract/requirements.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State } from '#server/stores/state.ts'
import { findRequirements } from './find-requirements.ts'

/** Saves requirements as the next version. @throws Problem if they are based on an older version. */
export async function saveRequirements(
  state: State,
  {
    viewer: { scope, email },
    params: { region_id: regionId },
    body: { programs, if_file_version: seenVersion },
    at,
  }: Call<typeof contract>,
): Promise<Requirements> {
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const knownSlugs = new Set(
    (await store.selectFrom('operator').select('slug').execute()).map(({ slug }) => slug),
  )
  const unknownSlug = programs
    .flatMap(({ operators }) => operators ?? [])
    .find((slug) => !knownSlugs.has(slug))
  if (unknownSlug !== undefined)
    throw new Problem('validation_error', `operators: There is no operator '${unknownSlug}'.`)
  const row = {
    programs: JSON.stringify(programs),
    file_version: seenVersion + 1,
    modified_time: at,
    modified_by_email: email,
  }
  // A single statement resolves conflicts: of two concurrent saves of the same version, one changes no row.
  const query =
    seenVersion === 1
      ? store
          .insertInto('requirements')
          .values({ region_id: regionId, ...row })
          .onConflict((conflict) => conflict.doNothing())
          .returning('file_version')
      : store
          .updateTable('requirements')
          .set(row)
          .where('region_id', '=', regionId)
          .where('file_version', '=', seenVersion)
          .returning('file_version')
  const [savedRow] = await query.execute()
  const current = await findRequirements(store, regionId)
  if (!savedRow)
    throw new Problem(
      'conflict',
      `The requirements were changed by ${current.modified_by_email ?? 'the server'}, after you began. Nothing was saved.`,
      undefined,
      current,
    )
  return current
}
