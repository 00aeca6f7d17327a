import { appVersion } from '#server/config.ts'
import {
  clickhouseMigrations,
  postgresMigrations,
  refusePreRelease,
} from '#server/stores/migrations/migrations.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'

/** The migrations of one store. */
export interface StorePlan {
  done: string[]
  pending: string[]
  /** Names of migrations that a newer version has applied. */
  unknown: string[]
}

/** The migrations of both stores. */
export interface MigrationPlan {
  state: StorePlan
  facts: StorePlan
}

/**
 * This version can migrate data of this version and later. Older data must first be opened with each of the
 * versions in `stops`, in this order.
 */
export const upgradePath: { from: string; firstMigration: string; stops: readonly string[] } = {
  from: '0.1.0',
  firstMigration: postgresMigrations[0]?.name ?? '',
  stops: [],
}

/** This version cannot open the data. The message says which version can. */
export class UpgradeRefused extends Error {
  override name = 'UpgradeRefused'
}

/** Compares the applied migrations of a store with those of this version. */
export function planStore(done: readonly string[], known: readonly { name: string }[]): StorePlan {
  const names = known.map(({ name }) => name)
  return {
    done: done.filter((name) => names.includes(name)),
    pending: names.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !names.includes(name)),
  }
}

/** Reads the migrations of both stores that are done and pending. */
export async function readMigrationPlan(
  state: Pick<State, 'maintenance'>,
  facts: Pick<Facts, 'maintenance'>,
): Promise<MigrationPlan> {
  return {
    state: planStore(await state.maintenance.migrations(), postgresMigrations),
    facts: planStore(await facts.maintenance.migrations(), clickhouseMigrations),
  }
}

/** @throws UpgradeRefused or PreReleaseData unless this version can open the data. */
export function checkPlan({ state, facts }: MigrationPlan, path = upgradePath): void {
  const unknownMigrations = [...state.unknown, ...facts.unknown]
  const isOld = state.done.length > 0 && !state.done.includes(path.firstMigration)
  if (isOld && path.stops.length)
    throw new UpgradeRefused(
      `The data is older than ${path.from}. Start Publicway ${path.stops.join(', then ')} once each, and then ${appVersion}.`,
    )
  const listMigrations = ({ done, unknown }: StorePlan): string[] => [...done, ...unknown]
  refusePreRelease(listMigrations(state), postgresMigrations)
  refusePreRelease(listMigrations(facts), clickhouseMigrations)
  if (unknownMigrations.length)
    throw new UpgradeRefused(
      `The data was written by a newer version of Publicway than ${appVersion}: it has ${unknownMigrations.join(', ')}. Install that version or a newer one. To go back to ${appVersion}, restore the backup that was made before the upgrade (docs/operations.md, "Downgrade").`,
    )
}

/** Returns whether stores with data lack migrations. */
export const isUpgrade = ({ state, facts }: MigrationPlan): boolean =>
  state.done.length > 0 && state.pending.length + facts.pending.length > 0
