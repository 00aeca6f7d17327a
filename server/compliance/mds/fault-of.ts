import type { z } from 'zod'

type Row = Record<PropertyKey, unknown>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
const ids = ['rule_id', 'policy_id', 'geography_id']

/** The first fault of a case in words that name the policy, rule or geography by its id, where it says one; else by its path. */
export function faultOf({ issues: [issue] }: z.ZodError, raw: unknown): string {
  if (!issue) return 'the case is not understood'
  const names: string[] = []
  let [rest, record] = [[...issue.path], raw]
  issue.path.forEach((key, depth) => {
    record = isRow(record) ? record[key] : undefined
    const field = ids.find((each) => isRow(record) && typeof record[each] === 'string' && record[each] !== '')
    if (!field) return
    names.push(
      `${field === 'rule_id' ? 'Rule' : field === 'policy_id' ? 'Policy' : 'Geography'} ${String((record as Row)[field])}`,
    )
    rest = issue.path.slice(depth + 1)
  })
  return [...names, rest.map(String).join('.') || (names.length ? 'it' : 'the case'), issue.message].join(
    ': ',
  )
}
