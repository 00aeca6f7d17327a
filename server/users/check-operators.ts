import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'

/** Lists the slugs of all operators of a viewer's organization, including those without trips. */
export type ListOperators = (viewer: Viewer) => Promise<readonly string[]>

/**
 * Validates the slugs of operators and returns them as stored JSON; null (all operators) for none.
 * @throws Problem `validation_error` if the organization does not have one of them.
 */
export async function checkOperators(
  listOperators: ListOperators,
  viewer: Viewer,
  operators: readonly string[] | null,
): Promise<string | null> {
  if (!operators?.length) return null
  const knownSlugs = await listOperators(viewer)
  const unknownSlug = operators.find((slug) => !knownSlugs.includes(slug))
  if (unknownSlug)
    throw new Problem('validation_error', `operators: Your organization has no operator '${unknownSlug}'.`, [
      { path: 'body.operators', message: `Your organization has no operator '${unknownSlug}'.` },
    ])
  return JSON.stringify([...new Set(operators)])
}
