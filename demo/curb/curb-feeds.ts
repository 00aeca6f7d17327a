import { feedDefaults, type NewFeed } from '#contract/feeds.ts'
import type { CurbFeed } from './push-curb.ts'

/** The feeds of the demo's curb, all of which push to the city. */
export const curbFeedKinds: readonly Pick<CurbFeed, 'name' | 'kind'>[] = [
  { name: 'Curb sensors', kind: 'sensor' },
  { name: 'Delivery fleets', kind: 'data_feed' },
]

export const curbFeeds: readonly NewFeed[] = curbFeedKinds.map(({ name }) => ({
  operator: null,
  kind: 'cds_push',
  version: '1.1',
  name,
  url: null,
  auth: { kind: 'none' },
  settings: {},
  ...feedDefaults.cds_push,
  enabled: true,
}))
