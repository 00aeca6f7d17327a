import type { Selectable } from 'kysely'
import {
  type Feed,
  type FeedKind,
  type PullWindowStatus,
  pullWindowStatuses,
  pushedKinds,
} from '#contract/feeds.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { FeedAuth } from '#contract/feed-auth.ts'
import { hideAuthSecrets } from './auth/full-auth.ts'
import { openAuth, UnreadableSecrets } from './auth/sealed-auth.ts'
import { getEnteredSettings } from './discovered-settings.ts'

export type FeedRow = Selectable<StateTables['feed']>

/** The number of a feed's pull windows by status. */
export interface PullWindowCounts {
  /** When the next open window is due; null if none is open. */
  next: Date | null
  counts: Partial<Record<PullWindowStatus, number>>
}

const toIso = (time: Date | null): string | null => time?.toISOString() ?? null

/** Reads the credentials without secrets. If they cannot be opened, `unreadable` is the reason. */
function readAuth(secretBox: SecretBox, row: FeedRow): { auth: FeedAuth; unreadable: string | null } {
  try {
    return { auth: hideAuthSecrets(openAuth(secretBox, row)), unreadable: null }
  } catch (error) {
    if (!(error instanceof UnreadableSecrets)) throw error
    return { auth: { kind: 'none' }, unreadable: error.message }
  }
}

/** Converts a stored feed to its form in the API. */
export function readFeed(secretBox: SecretBox, row: FeedRow, { next, counts }: PullWindowCounts): Feed {
  const { auth, unreadable } = readAuth(secretBox, row)
  const isFetched = row.enabled && row.url !== null && !pushedKinds.includes(row.kind as FeedKind)
  return {
    feedId: row.feed_id,
    regionId: row.region_id,
    operator: row.operator,
    kind: row.kind as FeedKind,
    version: row.version,
    name: row.name,
    url: row.url,
    auth,
    settings: getEnteredSettings(row.settings),
    intervalSeconds: row.interval_seconds,
    promisedMinutes: row.promised_minutes,
    enabled: row.enabled,
    createdTime: row.created_time.toISOString(),
    lastAttemptTime: toIso(row.last_attempt_time),
    lastSuccessTime: toIso(row.last_success_time),
    lastRecordTime: toIso(row.last_record_time),
    nextTime: isFetched ? toIso(next) : null,
    problem: row.problem ?? unreadable,
    problemSince: toIso(row.problem_since),
    pullWindows: Object.fromEntries(
      pullWindowStatuses.map((status) => [status, counts[status] ?? 0]),
    ) as Feed['pullWindows'],
  }
}
