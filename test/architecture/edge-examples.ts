import { clockRule, scopeRule } from './edges-rules.ts'
import type { Example } from './example.ts'

export const edgeExamples: Example[] = [
  {
    rule: scopeRule,
    caught: [
      { 'server/fleet/trips.ts': 'const scope = { organization } as Scope;' },
      { 'server/http/session.ts': 'const scope: Scope = { organization };' },
    ],
    innocent: [
      { 'server/identity/scope.ts': 'return { organization } as Scope;' },
      { 'server/fleet/trips.ts': 'export function trips(scope: Scope) {}' },
    ],
  },
  {
    rule: clockRule,
    caught: [
      { 'server/policies/rules/speed.ts': 'const now = new Date();' },
      { 'contract/period.ts': 'const now = Date.now();' },
      { 'web/charts/axis.ts': 'const today = dayjs();' },
    ],
    innocent: [
      { 'server/policies/derive-job.ts': 'const at = new Date();' },
      { 'server/policies/routes.ts': 'const at = new Date();' },
      { 'server/policies/rules/speed.ts': 'const end = new Date(at.getTime() + 1000);' },
    ],
  },
]
