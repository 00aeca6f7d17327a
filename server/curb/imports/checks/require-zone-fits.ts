import { CdsZone } from '#contract/cds.ts'
import type { StagedZone } from '../../store/staged.ts'
import type { Findings } from '../curb-format.ts'

/** What CDS requires of a published zone and the publisher adds. */
const added = {
  curb_zone_id: 'new',
  published_date: 0,
  last_updated_date: 0,
  start_date: 0,
  curb_policy_ids: [],
}

/** Refuses a zone that does not fit CDS. */
export function requireZoneFits(zone: StagedZone['zone'], findings: Findings): void {
  const parsed = CdsZone.safeParse({ ...added, ...zone })
  if (parsed.success) return
  const [issue] = parsed.error.issues
  findings.refuse(
    'bad_value',
    `A value does not fit CDS: ${issue?.message ?? 'unknown'}`,
    issue?.path.join('.') ?? null,
  )
}
