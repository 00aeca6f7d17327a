import type { Adapter } from './adapter.ts'
import { cdsEvents } from './cds-events.ts'
import { gbfs } from './gbfs.ts'
import { mdsAgency } from './mds-agency.ts'
import { mdsProvider } from './mds-provider.ts'
import { openThreeOneOne } from './open311.ts'
import { sensorStates } from './sensor-states.ts'
import { weatherGhcn } from './weather-ghcn.ts'
import { weatherOpenMeteo } from './weather-open-meteo.ts'

/** All kinds of feeds that can be read. */
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

/** Finds the adapter of a kind and version; undefined if there is none. Tests pass adapters of their own. */
export const findAdapter = (
  candidates: readonly Adapter[],
  { kind, version }: { kind: string; version: string },
): Adapter | undefined =>
  candidates.find((adapter) => adapter.kind === kind && adapter.versions.includes(version))
