import type { ApiError } from './api-error.ts'

/** What an ask is wrapped in: no field of its own. */
const wraps = ['body', 'query', 'path', 'settings']

const fieldOf = (path: string): string => path.split('.').find((part) => !wraps.includes(part)) ?? ''

/** What the server found wrong with which field, by the field's own name: `body.settings.maps.0` is `maps`. Refusals of a use case name it before a colon. */
export function fieldIssues(error: ApiError | null | undefined): ReadonlyMap<string, string> {
  const problem = error?.problem
  if (!problem) return new Map()
  if (problem.issues?.length)
    return new Map(problem.issues.map(({ path, message }) => [fieldOf(path), message]))
  const named = /^([a-z]\w*(?:\.\w+)*): (.+)$/i.exec(problem.detail)
  return named?.[1] && named[2] ? new Map([[fieldOf(named[1]), named[2]]]) : new Map()
}
