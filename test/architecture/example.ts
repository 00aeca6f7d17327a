import type { Rule } from './rule.ts'

/** Examples of a rule, as `{ path: text }`: each entry of `caught` breaks it, each of `innocent` almost does. */
export interface Example {
  rule: Rule
  caught: Record<string, string>[]
  innocent: Record<string, string>[]
}
