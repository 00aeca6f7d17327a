import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'

/** Finds the slugs of all operators of a viewer's organization, including those without trips. */
export type ListOperators = (viewer: Viewer) => Promise<readonly string[]>

/**
 * Validates operators and returns them as stored JSON; null for all.
 * @throws Problem `validation_error` if the organization does not have one of them.
 */
export async function checkOperators(
  listOperators: ListOperators,
  viewer: Viewer,
  operators: readonly string[] | null,
): Promise<string | null> {
  if (!operators?.length) return null
  const known = await listOperators(viewer)
  const unknown = operators.find((slug) => !known.includes(slug))
  if (unknown)
    throw new Problem('validation_error', `operators: Your organization has no operator '${unknown}'.`, [
      { path: 'body.operators', message: `Your organization has no operator '${unknown}'.` },
    ])
  return JSON.stringify([...new Set(operators)])
}
