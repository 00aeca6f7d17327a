import { importedSpeedUnit } from '#contract/policy-types/imported-rules.ts'
import type { PolicyFields, PolicyUnit } from '#contract/policy.ts'

/** Returns the speed unit of a policy's facts; null if unknown. */
export const getSpeedUnit = ({
  unit,
  imported_mds: mds,
}: Pick<PolicyFields, 'unit' | 'imported_mds'>): PolicyUnit | null => unit ?? (mds && importedSpeedUnit(mds))
