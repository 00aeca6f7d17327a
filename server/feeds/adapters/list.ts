import type { Adapter } from './adapter.ts'
import { cdsEvents } from './cds-events.ts'
import { gbfs } from './gbfs.ts'
import { mdsAgency } from './mds-agency.ts'
import { mdsProvider } from './mds-provider.ts'
import { openThreeOneOne } from './open311.ts'
import { sensorStates } from './sensor-states.ts'
import { weatherGhcn } from './weather-ghcn.ts'
import { weatherOpenMeteo } from './weather-open-meteo.ts'

/** Every kind of feed that can be read. To add one, add a line here. */
export const adapters: readonly Adapter[] = [
  mdsProvider,
  mdsAgency,
  gbfs,
  openThreeOneOne,
  weatherOpenMeteo,
  weatherGhcn,
  cdsEvents,
  sensorStates,
]
