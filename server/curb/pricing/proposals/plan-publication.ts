import type { CdsPolicyContent } from '#contract/cds.ts'
import { civilClock } from '#contract/civil-clock.ts'
import type { ProposalRow } from '#contract/curb-price-proposals.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { groupBy } from '#contract/group-by.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import { getPolicyContent } from '../../store/policy-signature.ts'
import { NotSplittable, type RateChange, replaceRates } from '../replace-rates.ts'
import { listCells } from '../zone-rates.ts'
import { type ChangedRow, findChangedRows, type SkippedZone } from './proposal-store.ts'

/** New versions of a policy, and the zones that get them. */
export interface PolicySplit {
  policyId: string
  contents: CdsPolicyContent[]
  zoneIds: string[]
}

/** Converts the changed rows of a zone to rate changes by time. */
function toRateChanges(
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>,
  rows: readonly ChangedRow[],
): RateChange[] {
  return rows.flatMap((row) =>
    listCells(parameters.bands, parameters.day_types)
      .filter(({ band, dayType }) => band.key === row.band && dayType.key === row.day_type)
      .map(({ band, dayType }) => ({
        weekdays: dayType.weekdays,
        from: band.from,
        until: band.until,
        before: row.current_rate,
        after: row.final_rate,
      })),
  )
}

/** Splits the policies of a zone, as of `at` (ms), with new rates. @throws NotSplittable. */
function splitZone(
  index: CurbIndex,
  at: number,
  zoneId: string,
  changes: readonly RateChange[],
): { policyId: string; contents: CdsPolicyContent[] }[] {
  const policies = index.at(at).ruleSetByZone.get(zoneId)?.policies ?? []
  const splits = policies.flatMap((policy) => {
    const contents = replaceRates(getPolicyContent(policy), changes)
    return contents ? { policyId: policy.curb_policy_id, contents } : []
  })
  if (!splits.length)
    throw new NotSplittable('No policy of the zone has the rate that would change. Change it in the library.')
  return splits
}

export interface PublicationPlan {
  splits: PolicySplit[]
  skipped: SkippedZone[]
}

interface PublicationRequest {
  /** When the rates take effect, ms since 1970. */
  at: number
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>
  rows: readonly ProposalRow[]
  /** Returns why a zone must retain its rates; null if it may change. */
  getSkipReason?: (zoneRows: readonly ChangedRow[]) => string | null
}

/** Plans the new versions of policies. Zones that share a policy and new rates share the new versions. */
export function planPublication(
  index: CurbIndex,
  { at, parameters, rows, getSkipReason = () => null }: PublicationRequest,
): PublicationPlan {
  const rowsByZone = groupBy(findChangedRows(rows), (row) => row.curb_zone_id)
  const splits = new Map<string, PolicySplit>()
  const skipped: SkippedZone[] = []
  // The policies of zones with the same policies and changes are split once.
  const results = new Map<string, ReturnType<typeof splitZone> | NotSplittable>()
  for (const [zoneId, zoneRows] of rowsByZone) {
    const skip = (reason: string): void =>
      void skipped.push({ curb_zone_id: zoneId, shape_name: zoneRows[0]?.shape_name ?? zoneId, reason })
    const reason = getSkipReason(zoneRows)
    if (reason !== null) {
      skip(reason)
      continue
    }
    const changes = toRateChanges(parameters, zoneRows)
    const changesKey = JSON.stringify(changes)
    const key = `${index.at(at).ruleSetByZone.get(zoneId)?.id} ${changesKey}`
    const result = results.get(key) ?? catchNotSplittable(() => splitZone(index, at, zoneId, changes))
    results.set(key, result)
    if (result instanceof NotSplittable) {
      skip(result.message)
      continue
    }
    for (const { policyId, contents } of result) {
      const splitKey = `${policyId} ${changesKey}`
      const split = splits.get(splitKey) ?? { policyId, contents, zoneIds: [] }
      split.zoneIds.push(zoneId)
      splits.set(splitKey, split)
    }
  }
  return { splits: [...splits.values()], skipped }
}

/** Runs a function. Returns NotSplittable instead of throwing it. */
function catchNotSplittable<Result>(run: () => Result): Result | NotSplittable {
  try {
    return run()
  } catch (error) {
    if (error instanceof NotSplittable) return error
    throw error
  }
}

/** Returns the instant at which the first band of a local day begins. */
export const findFirstBandStart = (
  { bands }: Pick<PricingParameters, 'bands'>,
  day: LocalDay,
  timezone: string,
): Date =>
  new Date(civilClock(timezone).instant(dayNumber(day), Math.min(...bands.map(({ from }) => from)) * 60).ms)

/** Returns the first instant at or after `from` at which a band begins. */
export function findNextBandStart(
  { bands }: Pick<PricingParameters, 'bands'>,
  from: Date,
  timezone: string,
): Date {
  const clock = civilClock(timezone)
  const { day } = clock.local(from.getTime())
  const starts = [day, day + 1, day + 2].flatMap((candidate) =>
    bands.map((band) => clock.instant(candidate, band.from * 60).ms),
  )
  return new Date(Math.min(...starts.filter((ms) => ms >= from.getTime())))
}
