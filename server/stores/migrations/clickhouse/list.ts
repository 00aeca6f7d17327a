import { trips } from './001-trips.ts'
import { layerIndex } from './002-layer-index.ts'
import { tripsStaging } from './003-trips-staging.ts'
import { fleet } from './004-fleet.ts'

/** In order; each statement can be run again, so that a migration cut off goes on. */
export const clickhouseMigrations: readonly { name: string; statements: readonly string[] }[] = [trips, layerIndex, tripsStaging, fleet]
