import type { TFunction } from 'i18next'
import { emptyPolicy } from '#contract/policy.ts'
import type { PublicPolicy } from '#contract/public-policies.ts'
import { mdsRuleWords } from './mds-rule-words.ts'
import { ruleWords } from './rule-words.ts'

interface About {
  t: TFunction
  language: string
  currency: string
  /** Of a published geography by its id. */
  placeName: (id: string) => string | null
}

/** Up to so many places are named. */
const named = 6

function placesText(
  { is_region_wide: isWhole, geography_ids: ids }: PublicPolicy,
  { t, language, placeName }: About,
): string {
  if (isWhole || ids.length === 0) return t('policies:where.wholeRegion')
  if (ids.length > named) return t('policies:public.places', { count: ids.length })
  return new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(
    ids.map((id) => placeName(id) ?? t('policies:where.unknownLayer')),
  )
}

/** A published policy in plain sentences, by the names of the places that it was published on. */
export function publicRuleWords(policy: PublicPolicy, about: About): string[] {
  const { t, language, currency, placeName } = about
  const {
    mds,
    operators,
    policy_uuid: _id,
    published_time: _published,
    effective_from: _from,
    effective_until: _until,
    geography_ids: _places,
    is_region_wide: _isWhole,
    ...fields
  } = policy
  if (mds) return mdsRuleWords(mds, { t, language, placeName })
  const names = new Map(operators.map(({ slug, name }) => [slug, name]))
  return ruleWords(
    { ...emptyPolicy(), ...fields, operators: [...names.keys()] },
    {
      t,
      language,
      currency,
      operatorName: (slug) => names.get(slug) ?? slug,
      layerName: () => null,
      place: placesText(policy, about),
    },
  )
}
