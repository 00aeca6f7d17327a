import { roomAccessRule } from './room-access-rule.ts'
import { edgeExamples } from './edge-examples.ts'
import { formExamples } from './form-examples.ts'
import { topFolderRule } from './top-folder-rule.ts'
import type { Example } from './example.ts'
import { serverOrderRule } from './server-order-rule.ts'
import { webOrderRule } from './web-order-rule.ts'

const from = (specifier: string) => `import { thing } from '${specifier}';`

export const examples: Example[] = [
  {
    rule: topFolderRule,
    caught: [
      { 'contract/trip.ts': from('#server/fleet/trip.ts') },
      { 'contract/trip.ts': from('dayjs') },
      { 'contract/trip.ts': from('vitest') },
      { 'server/feeds/show.ts': from('#web/kit/button.tsx') },
      { 'web/feeds/show.ts': from('../../server/feeds/show.ts') },
      { 'web/feeds/show.ts': "import type { Thing } from '#server/feeds/show.ts';" },
      { 'web/feeds/show.ts': "const module = await import('#server/feeds/show.ts');" },
      { 'server/feeds/show.ts': "export { thing } from '../../demo/city.ts';" },
      { 'server/main.ts': from('../demo/city.ts') },
      { 'server/app.ts': "await import('../demo/city.ts');" },
      { 'demo/city.ts': from('#web/kit/button.tsx') },
      { 'server/app.ts': from('../bench/run.ts') },
    ],
    innocent: [
      { 'contract/trip.ts': `${from('zod')}\n${from('./place.ts')}` },
      { 'contract/trip.test.ts': from('vitest') },
      { 'server/feeds/show.ts': from('#contract/feeds.ts') },
      { 'server/main.ts': "const { city } = await import('../demo/city.ts');" },
      { 'web/feeds/show.ts': "// import { thing } from '#server/feeds/show.ts';" },
    ],
  },
  {
    rule: serverOrderRule,
    caught: [
      { 'server/identity/user.ts': from('#server/regions/region.ts') },
      { 'server/stores/postgres.ts': from('../health/state.ts') },
      { 'server/geography/layer.ts': "import type { Operator } from '../operators/operator.ts';" },
      { 'server/health/state.ts': from('#server/app.ts') },
      { 'server/tenants/tenant.ts': '' },
    ],
    innocent: [
      { 'server/regions/region.ts': from('#server/identity/user.ts') },
      { 'server/app.ts': from('#server/health/routes.ts') },
      { 'server/regions/region.ts': from('./zone.ts') },
    ],
  },
  {
    rule: roomAccessRule,
    caught: [
      { 'server/policies/list.ts': from('#server/live/routes.ts') },
      { 'server/policies/list.ts': from('#server/fleet/queries/trips-per-day.ts') },
      { 'server/policies/list.ts': from('#server/fleet/derive-trips-job.ts') },
      { 'server/evaluation/ask.ts': from('#server/fleet/events/queries/trips.ts') },
      { 'server/evaluation/ask.ts': from('#server/live/routes.ts') },
    ],
    innocent: [
      { 'server/policies/list.ts': from('#server/fleet/measures.ts') },
      { 'server/compliance/judge.ts': from('#server/policies/rules/speed.ts') },
      { 'server/feeds/pull.ts': from('#server/feeds/adapters/adapter.ts') },
      { 'server/live/routes.ts': from('./queries/trips-per-day.ts') },
      { 'server/regions/add.ts': from('#server/stores/migrations/list.ts') },
      { 'server/app.ts': from('./mobility/routes.ts') },
      { 'server/schedule.ts': from('./mobility/derive-trips-job.ts') },
    ],
  },
  {
    rule: webOrderRule,
    caught: [
      { 'web/kit/button.tsx': from('#web/charts/bar.tsx') },
      { 'web/map/fills.ts': from('#web/data/use-question.ts') },
      { 'web/shell/page.tsx': from('#web/policies/policy-form.tsx') },
      { 'web/policies/policy-form.tsx': from('#web/compliance/compliance-screen.tsx') },
      { 'web/charts/bar.tsx': from('#contract/policies.ts') },
      { 'web/widgets/clock.tsx': '' },
    ],
    innocent: [
      { 'web/charts/bar.tsx': `${from('#contract/units.ts')}\n${from('#web/kit/theme.ts')}` },
      { 'web/policies/policy-form.tsx': `${from('#web/shell/page.tsx')}\n${from('#contract/policies.ts')}` },
      { 'web/screens.tsx': from('./policies/policies-screen.tsx') },
    ],
  },
  ...edgeExamples,
  ...formExamples,
]
