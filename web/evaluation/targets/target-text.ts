import type { TFunction } from 'i18next'
import { formatNumber } from '#web/kit/format.ts'
import type { Target } from './read-targets.ts'

/** A target in words, as in "5 to 40 vehicles (Share)"; `what` is what is counted where it is no share. */
export function targetText(
  t: TFunction,
  { policyName, minimum, maximum, isShare }: Target,
  what: 'vehicles' | 'dropOffs',
): string {
  const unit = t(`evaluation:target.${isShare ? 'share' : what}`)
  const bounds =
    minimum !== null && maximum !== null
      ? t('evaluation:target.between', {
          minimum: formatNumber(minimum),
          maximum: formatNumber(maximum),
          unit,
        })
      : minimum !== null
        ? t('evaluation:target.atLeast', { minimum: formatNumber(minimum), unit })
        : t('evaluation:target.atMost', { maximum: formatNumber(maximum), unit })
  return t('evaluation:target.ofPolicy', { bounds, policy: policyName })
}
