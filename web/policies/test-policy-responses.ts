import type { ListedPolicy } from '#contract/policies.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { dataColors } from '#web/kit/theme.ts'
import { signedIn } from '#web/shell/test-responses.ts'
import { constantId, testPolicy } from './test-policy.ts'

/** For tests: a server with a layer, two operators and the given policies. */
export const policiesResponses = (policies: readonly ListedPolicy[] = [testPolicy()]) => ({
  ...signedIn(),
  ...geographyResponses(),
  'GET /v2/operators': () => ({
    items: [
      { slug: 'glide', name: 'Glide', colorHex: dataColors.light.outline },
      { slug: 'skip', name: 'Skip', colorHex: dataColors.light.noData },
    ],
    total: 2,
    page: 1,
    size: 300,
  }),
  'POST /v2/policies/list': () => ({ data: policies, total: policies.length, page: 1, size: 300 }),
  [`GET /v2/policies/constant/${constantId}`]: () => ({ policy: policies[0] }),
  [`GET /v2/policies/constant/${constantId}/revisions`]: () => ({ items: [] }),
})
