import { civilClock } from '#contract/civil-clock.ts'
import type { CdsPolicyContent } from '#contract/cds.ts'
import type { ProposalRow } from '#contract/curb-price-proposals.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import { policyContent } from '../../store/policy-signature.ts'
import { NotSplittable, type RateChange, replaceRates } from '../replace-rates.ts'
import { cellsOf } from '../zone-rates.ts'
import { changedRows, type SkippedZone } from './proposal-store.ts'

type Changed = ReturnType<typeof changedRows<ProposalRow>>[number]

/** New versions of one policy, and the zones that get them. */
export interface PolicySplit {
  policyId: string
  contents: CdsPolicyContent[]
  zoneIds: string[]
}

/** The new rates of a zone by time. */
function changesOf(
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>,
  rows: readonly Changed[],
): RateChange[] {
  return rows.flatMap((row) =>
    cellsOf(parameters.bands, parameters.day_types)
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

/** The policies of one zone with other rates. Throws NotSplittable. */
function splitZone(
  index: CurbIndex,
  at: number,
  zoneId: string,
  changes: readonly RateChange[],
): { policyId: string; contents: CdsPolicyContent[] }[] {
  const policies = index.at(at).ruleSetByZone.get(zoneId)?.policies ?? []
  const splits = policies.flatMap((policy) => {
    const contents = replaceRates(policyContent(policy), changes)
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

/**
 * Which policies get which new versions in which zones. Zones that share a policy and get the same rates share the new
 * versions too. `reasonAgainst`: why a zone is left as it is; null: it is not.
 */
export function planPublication(
  index: CurbIndex,
  at: number,
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>,
  rows: readonly ProposalRow[],
  reasonAgainst: (rows: readonly Changed[]) => string | null,
): PublicationPlan {
  const byZone = new Map<string, Changed[]>()
  for (const row of changedRows(rows))
    byZone.set(row.curb_zone_id, [...(byZone.get(row.curb_zone_id) ?? []), row])
  const splits = new Map<string, PolicySplit>()
  const skipped: SkippedZone[] = []
  // Zones with the same policies and changes are split once.
  const known = new Map<string, ReturnType<typeof splitZone> | NotSplittable>()
  for (const [zoneId, own] of byZone) {
    const skip = (reason: string): void =>
      void skipped.push({ curb_zone_id: zoneId, shape_name: own[0]?.shape_name ?? zoneId, reason })
    const reason = reasonAgainst(own)
    if (reason !== null) {
      skip(reason)
      continue
    }
    const changes = changesOf(parameters, own)
    const changesKey = JSON.stringify(changes)
    const key = `${index.at(at).ruleSetByZone.get(zoneId)?.id} ${changesKey}`
    const found = known.get(key) ?? attempt(() => splitZone(index, at, zoneId, changes))
    known.set(key, found)
    if (found instanceof NotSplittable) {
      skip(found.message)
      continue
    }
    for (const { policyId, contents } of found) {
      const splitKey = `${policyId} ${changesKey}`
      const split = splits.get(splitKey) ?? { policyId, contents, zoneIds: [] }
      split.zoneIds.push(zoneId)
      splits.set(splitKey, split)
    }
  }
  return { splits: [...splits.values()], skipped }
}

function attempt<Result>(run: () => Result): Result | NotSplittable {
  try {
    return run()
  } catch (error) {
    if (error instanceof NotSplittable) return error
    throw error
  }
}

/** The start of the first band on a local day. */
export const firstBandStart = (
  { bands }: Pick<PricingParameters, 'bands'>,
  day: LocalDay,
  zone: string,
): Date =>
  new Date(civilClock(zone).instant(dayNumber(day), Math.min(...bands.map(({ from }) => from)) * 60).ms)

/** The first start of a band at or after an instant. */
export function nextBandStart({ bands }: Pick<PricingParameters, 'bands'>, from: Date, zone: string): Date {
  const clock = civilClock(zone)
  const { day } = clock.local(from.getTime())
  const starts = [day, day + 1, day + 2].flatMap((each) =>
    bands.map((band) => clock.instant(each, band.from * 60).ms),
  )
  return new Date(Math.min(...starts.filter((ms) => ms >= from.getTime())))
}
