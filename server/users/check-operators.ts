import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'

/** Slugs of the operators of a viewer's organization, those without trips too. */
export type OperatorsOf = (viewer: Viewer) => Promise<readonly string[]>

/** Operators as they are stored, or null for all; throws where one of them is not the organization's. */
export async function checkOperators(
  operatorsOf: OperatorsOf,
  viewer: Viewer,
  operators: readonly string[] | null,
): Promise<string | null> {
  if (!operators?.length) return null
  const known = await operatorsOf(viewer)
  const unknown = operators.find((slug) => !known.includes(slug))
  if (unknown)
    throw new Problem('validation_error', `operators: Your organization has no operator '${unknown}'.`, [
      { path: 'body.operators', message: `Your organization has no operator '${unknown}'.` },
    ])
  return JSON.stringify([...new Set(operators)])
}
