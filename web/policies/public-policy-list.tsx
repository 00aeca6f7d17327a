import { Button, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { PublicPolicies, PublicPolicy } from '#contract/public-policies.ts'
import { emptyPolicy } from '#contract/policy.ts'
import { PublicPolicyItem } from './public-policy-item.tsx'
import { publicStatuses, getPublicStatus, formatEffectivePeriod } from './public-status.ts'
import styles from './public.module.css'
import { mdsRuleWords } from './mds-rule-words.ts'
import { formatPlaces } from './place-text.ts'
import { ruleWords } from './rule-words.ts'

interface RuleTextContext {
  t: TFunction
  language: string
  currency: string
  /** The name of a published geography by id. */
  placeName: (id: string) => string | null
}

/** Returns a published policy in plain sentences, with the names of the places at its publication. */
function publicRuleWords(policy: PublicPolicy, context: RuleTextContext): string[] {
  const { t, language, currency, placeName } = context
  const {
    mds,
    operators,
    policy_uuid: _id,
    published_time: _published,
    effective_from: _from,
    effective_until: _until,
    geography_ids: _places,
    is_region_wide: _isWholeRegion,
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
      place: formatPlaces(
        policy.is_region_wide
          ? []
          : policy.geography_ids.map((id) => placeName(id) ?? t('policies:where.unknownLayer')),
        context,
      ),
    },
  )
}

/** Whether an id in the URL refers to a policy: to this revision, or to all its revisions. */
export const isPolicy = (
  { policy_uuid: id, constant_policy_uuid: constantId }: PublicPolicy,
  idInUrl: string | null | undefined,
): boolean => idInUrl === id || idInUrl === constantId

interface Props {
  published: PublicPolicies
  /** The current time, in ms. */
  at: number
  /** The policy shown on the map; null for all. */
  selectedId: string | null
  onShow: (id: string | null) => void
}

/** Longer lists have a search field. */
const maxWithoutSearch = 8

/** Published policies by status, with a search field if there are many. */
export function PublicPolicyList({
  published: { policies, geographies, currencyCode, timezone },
  at,
  selectedId: shown,
  onShow,
}: Props) {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  const [text, setText] = useState('')
  const headingId = useId()
  const items = useMemo(() => {
    const names = new Map(geographies.map(({ geography_id: id, name }) => [id, name]))
    return policies.map((policy) => {
      const words = publicRuleWords(policy, {
        t,
        language,
        currency: currencyCode,
        placeName: (id) => names.get(id) ?? null,
      })
      const { policy_uuid: id, policy_name: name, description } = policy
      return {
        id,
        name,
        description,
        words,
        isShown: isPolicy(policy, shown),
        messages: Object.entries(policy.messages).map(([code, message]) => ({
          language: code,
          text: message,
        })),
        status: getPublicStatus(policy, at),
        when: formatEffectivePeriod(policy, at, { t, language, timezone }),
        searchText: [name, description ?? '', ...words].join('\n').toLocaleLowerCase(language),
      }
    })
  }, [policies, geographies, currencyCode, timezone, at, shown, t, language])
  const matchingItems = items.filter(({ searchText }) =>
    searchText.includes(text.trim().toLocaleLowerCase(language)),
  )
  const show = useCallback((id: string | null) => onShow(id), [onShow])
  return (
    <>
      {items.length > maxWithoutSearch ? (
        <TextInput
          mt="md"
          aria-label={t('policies:public.search')}
          placeholder={t('policies:public.search')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <Text role="status" size="sm" c="dimmed" mt={matchingItems.length === 0 ? 'md' : 0}>
        {matchingItems.length === 0 ? t('policies:nothingFound.title') : ''}
      </Text>
      {publicStatuses.map((status) => {
        const group = matchingItems.filter((item) => item.status === status)
        if (!group.length) return null
        return (
          <section key={status} className={styles['group']} aria-labelledby={`${headingId}-${status}`}>
            <Title order={2} id={`${headingId}-${status}`}>
              {t(`policies:public.group.${status}`)} <span className={styles['count']}>{group.length}</span>
            </Title>
            <ul className={styles['policies']}>
              {group.map(({ searchText: _searchText, ...item }) => (
                <PublicPolicyItem key={item.id} {...item} onShow={show} />
              ))}
            </ul>
          </section>
        )
      })}
      {shown === null ? null : (
        <div className={styles['all']}>
          <Button size="xs" variant="default" onClick={() => onShow(null)}>
            {t('policies:public.showAll')}
          </Button>
        </div>
      )}
    </>
  )
}
