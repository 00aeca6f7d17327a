import { trips } from './001-trips.ts'
import { layerIndex } from './002-layer-index.ts'
import { stagingWithoutRaw, tripsStaging } from './003-trips-staging.ts'
import { fleet } from './004-fleet.ts'
import { feeds } from './005-feeds.ts'
import { snapshots } from './006-snapshots.ts'
import { routes } from './007-routes.ts'
import { reports } from './008-reports.ts'
import { cubes } from './009-cubes.ts'
import { segmentVolumes } from './010-segment-volumes.ts'
import { wayShapes } from './011-way-shapes.ts'
import { tripsOfEvents } from './012-trips-of-events.ts'
import { shapeDays } from './013-shape-days.ts'
import { mergedWeeks } from './014-merged-weeks.ts'
import { rideSpeeds } from './015-ride-speeds.ts'

/** In order; each statement can be run again, so that a migration cut off goes on. */
export const clickhouseMigrations: readonly { name: string; statements: readonly string[] }[] = [
  trips,
  layerIndex,
  tripsStaging,
  fleet,
  feeds,
  snapshots,
  routes,
  reports,
  cubes,
  segmentVolumes,
  wayShapes,
  tripsOfEvents,
  shapeDays,
  mergedWeeks,
  rideSpeeds,
  stagingWithoutRaw,
]
