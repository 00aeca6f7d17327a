import { clockRule, environmentRule, fetchRule, scopeRule } from './edges-rules.ts'
import type { Example } from './example.ts'

export const edgeExamples: Example[] = [
  {
    rule: fetchRule,
    caught: [
      { 'web/policies/list.ts': "const answer = await fetch('/api/policies');" },
      { 'web/map/tiles.ts': 'window.fetch(url);' },
      { 'web/live/stream.ts': 'const stream = new EventSource(url);' },
    ],
    innocent: [
      { 'web/data/call.ts': 'await fetch(url);' },
      { 'web/policies/list.ts': "client.prefetch(query); const text = 'fetch(it)'; // fetch(it)" },
    ],
  },
  {
    rule: environmentRule,
    caught: [
      { 'server/stores/postgres.ts': 'const url = process.env.DATABASE_URL;' },
      { 'demo/city.ts': "process.env['DEMO']" },
      { 'server/app.ts': "import { env } from 'node:process';" },
    ],
    innocent: [
      { 'server/config.ts': 'const { DATA_DIR } = process.env;' },
      { 'server/stores/postgres.test.ts': 'const url = process.env.TEST_DATABASE_URL;' },
    ],
  },
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
