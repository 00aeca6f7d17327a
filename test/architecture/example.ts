import type { Rule } from './rule.ts'

/** Each entry of `caught` is one offence, `{ path: text }`; each of `innocent` comes near to one. */
export interface Example {
  rule: Rule
  caught: Record<string, string>[]
  innocent: Record<string, string>[]
}
