import { CdsZone } from '#contract/cds.ts'
import type { StagedZone } from '../../store/staged.ts'
import type { Findings } from '../curb-format.ts'

/** Placeholders for fields that CDS requires and publication adds. */
const placeholders = {
  curb_zone_id: 'new',
  published_date: 0,
  last_updated_date: 0,
  start_date: 0,
  curb_policy_ids: [],
}

/** Refuses a zone that does not fit CDS. */
export function requireZoneFits(zone: StagedZone['zone'], findings: Findings): void {
  const parsed = CdsZone.safeParse({ ...placeholders, ...zone })
  if (parsed.success) return
  const [issue] = parsed.error.issues
  findings.refuse(
    'bad_value',
    `A value does not fit CDS: ${issue?.message ?? 'unknown'}`,
    issue?.path.join('.') ?? null,
  )
}
