import type { NewFeed } from '#contract/feeds.ts'
import { feedDefaults } from '#contract/feeds.ts'
import type { DemoOperators } from './servers/open-demo-operators.ts'
import { dockedPath } from './servers/serve-docked.ts'
import { dockedOperator } from './stations/docked-system.ts'

/** Name of the feed with stations, for which the first run stores a history. */
export const dockedFeedName = 'Port Cycle GBFS'

/** Lists feeds of the demo city with current addresses of operators, and hours of the first backfill. */
export function listOperatorFeeds(
  { urls, credentials }: Pick<DemoOperators, 'urls' | 'credentials'>,
  backfillHours: number,
): NewFeed[] {
  const { id, secret } = credentials.ternbikes
  const settings = { backfillHours }
  return [
    {
      operator: 'zephyr',
      kind: 'mds_provider',
      version: '2.0',
      name: 'Zephyr MDS',
      url: urls.zephyr,
      auth: { kind: 'bearer', token: credentials.zephyr },
      settings: {
        ...settings,
        streams: ['vehicles', 'status', 'events', 'recent', 'trips', 'telemetry', 'stops'],
      },
      ...feedDefaults.mds_provider,
      enabled: true,
    },
    {
      operator: 'ternbikes',
      kind: 'mds_provider',
      version: '1.2',
      name: 'Tern Bikes MDS',
      url: urls.ternbikes,
      auth: { kind: 'oauth', tokenUrl: `${urls.ternbikes}/oauth/token`, clientId: id, clientSecret: secret },
      settings,
      ...feedDefaults.mds_provider,
      enabled: true,
    },
    {
      operator: 'hopkite',
      kind: 'mds_agency',
      version: '2.0',
      name: 'Hopkite live feed',
      url: null,
      auth: { kind: 'none' },
      settings: {},
      ...feedDefaults.mds_agency,
      enabled: true,
    },
    {
      operator: 'sandpiper',
      kind: 'gbfs',
      version: '3.0',
      name: 'Sandpiper GBFS',
      url: `${urls.sandpiper}/gbfs.json`,
      auth: { kind: 'none' },
      settings: {},
      ...feedDefaults.gbfs,
      enabled: true,
    },
    {
      operator: dockedOperator.slug,
      kind: 'gbfs',
      version: '3.0',
      name: dockedFeedName,
      url: `${urls.sandpiper}${dockedPath}/gbfs.json`,
      auth: { kind: 'none' },
      settings: {},
      ...feedDefaults.gbfs,
      enabled: true,
    },
  ]
}
