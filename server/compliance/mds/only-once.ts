import { isDeepStrictEqual } from 'node:util'
import { RuleProblem } from './read-mds-rule.ts'

/**
 * Records without those that say the same once more.
 * @param nameOf Of a record, the same for all that should be one.
 * @throws RuleProblem Where two of one name differ: nobody can tell which is meant.
 */
export function onlyOnce<Of>(records: readonly Of[], nameOf: (record: Of) => string): Of[] {
  const found = new Map<string, Of>()
  for (const record of records) {
    const name = nameOf(record)
    const kept = found.get(name)
    if (kept !== undefined && !isDeepStrictEqual(kept, record))
      throw new RuleProblem(`${name} is there more than once, and not the same.`)
    found.set(name, kept ?? record)
  }
  return [...found.values()]
}
