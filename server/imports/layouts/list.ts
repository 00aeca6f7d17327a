import { biketown } from './biketown.ts'
import { citiBike } from './citi-bike.ts'
import type { Layout } from './layout.ts'
import { louisville } from './louisville.ts'
import { lyft } from './lyft.ts'
import { stationTrips } from './station-trips.ts'

/** The known layouts, those with the most specific headers first. */
export const layouts: readonly Layout[] = [biketown, lyft, citiBike, louisville, stationTrips]
