import { roomAccessRule } from './room-access-rule.ts'
import { edgeExamples } from './edge-examples.ts'
import { formExamples } from './form-examples.ts'
import { topFolderRule } from './top-folder-rule.ts'
import type { Example } from './example.ts'
import { serverOrderRule } from './server-order-rule.ts'
import { webOrderRule } from './web-order-rule.ts'

const makeImport = (specifier: string) => `import { thing } from '${specifier}';`

export const examples: Example[] = [
  {
    rule: topFolderRule,
    caught: [
      { 'contract/trip.ts': makeImport('#server/fleet/trip.ts') },
      { 'contract/trip.ts': makeImport('dayjs') },
      { 'contract/trip.ts': makeImport('vitest') },
      { 'server/feeds/show.ts': makeImport('#web/kit/button.tsx') },
      { 'web/feeds/show.ts': makeImport('../../server/feeds/show.ts') },
      { 'web/feeds/show.ts': "import type { Thing } from '#server/feeds/show.ts';" },
      { 'web/feeds/show.ts': "const module = await import('#server/feeds/show.ts');" },
      { 'server/feeds/show.ts': "export { thing } from '../../demo/city.ts';" },
      { 'server/main.ts': makeImport('../demo/city.ts') },
      { 'server/app.ts': "await import('../demo/city.ts');" },
      { 'demo/city.ts': makeImport('#web/kit/button.tsx') },
      { 'server/app.ts': makeImport('../bench/run.ts') },
    ],
    innocent: [
      { 'contract/trip.ts': `${makeImport('zod')}\n${makeImport('./place.ts')}` },
      { 'contract/trip.test.ts': makeImport('vitest') },
      { 'server/feeds/show.ts': makeImport('#contract/feeds.ts') },
      { 'server/main.ts': "const { city } = await import('../demo/city.ts');" },
      { 'web/feeds/show.ts': "// import { thing } from '#server/feeds/show.ts';" },
    ],
  },
  {
    rule: serverOrderRule,
    caught: [
      { 'server/identity/user.ts': makeImport('#server/regions/region.ts') },
      { 'server/stores/postgres.ts': makeImport('../health/state.ts') },
      { 'server/geography/layer.ts': "import type { Operator } from '../operators/operator.ts';" },
      { 'server/health/state.ts': makeImport('#server/app.ts') },
      { 'server/tenants/tenant.ts': '' },
    ],
    innocent: [
      { 'server/regions/region.ts': makeImport('#server/identity/user.ts') },
      { 'server/app.ts': makeImport('#server/health/routes.ts') },
      { 'server/regions/region.ts': makeImport('./zone.ts') },
    ],
  },
  {
    rule: roomAccessRule,
    caught: [
      { 'server/policies/list.ts': makeImport('#server/live/routes.ts') },
      { 'server/policies/list.ts': makeImport('#server/fleet/queries/trips-per-day.ts') },
      { 'server/policies/list.ts': makeImport('#server/fleet/derive-trips-job.ts') },
      { 'server/evaluation/ask.ts': makeImport('#server/fleet/events/queries/trips.ts') },
      { 'server/evaluation/ask.ts': makeImport('#server/live/routes.ts') },
    ],
    innocent: [
      { 'server/policies/list.ts': makeImport('#server/fleet/measures.ts') },
      { 'server/compliance/judge.ts': makeImport('#server/policies/rules/speed.ts') },
      { 'server/feeds/pull.ts': makeImport('#server/feeds/adapters/adapter.ts') },
      { 'server/live/routes.ts': makeImport('./queries/trips-per-day.ts') },
      { 'server/regions/add.ts': makeImport('#server/stores/migrations/list.ts') },
      { 'server/app.ts': makeImport('./mobility/routes.ts') },
      { 'server/schedule.ts': makeImport('./mobility/derive-trips-job.ts') },
    ],
  },
  {
    rule: webOrderRule,
    caught: [
      { 'web/kit/button.tsx': makeImport('#web/charts/bar.tsx') },
      { 'web/map/fills.ts': makeImport('#web/data/use-question.ts') },
      { 'web/shell/page.tsx': makeImport('#web/policies/policy-form.tsx') },
      { 'web/policies/policy-form.tsx': makeImport('#web/compliance/compliance-screen.tsx') },
      { 'web/charts/bar.tsx': makeImport('#contract/policies.ts') },
      { 'web/widgets/clock.tsx': '' },
    ],
    innocent: [
      { 'web/charts/bar.tsx': `${makeImport('#contract/units.ts')}\n${makeImport('#web/kit/theme.ts')}` },
      {
        'web/policies/policy-form.tsx': `${makeImport('#web/shell/page.tsx')}\n${makeImport('#contract/policies.ts')}`,
      },
      { 'web/screens.tsx': makeImport('./policies/policies-screen.tsx') },
    ],
  },
  ...edgeExamples,
  ...formExamples,
]
