import { Button, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicPolicies } from '#contract/public-policies.ts'
import { PublicPolicyItem } from './public-policy-item.tsx'
import { publicRuleWords } from './public-rule-words.ts'
import { publicStandings, standingOf, whenText } from './public-standing.ts'
import styles from './public.module.css'

interface Props {
  about: PublicPolicies
  /** Now. */
  at: number
  /** The policy whose places the map shows; null: all. */
  shown: string | null
  onShow: (id: string | null) => void
}

/** With more policies than these one wants to search. */
const few = 8

/** What is published, by whether it holds now; with a search where it is much. */
export function PublicPolicyList({
  about: { policies, geographies, currencyCode, timezone },
  at,
  shown,
  onShow,
}: Props) {
  const {
    t,
    i18n: { language },
  } = useTranslation()
  const [text, setText] = useState('')
  const heads = useId()
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
        standing: standingOf(policy, at),
        when: whenText(policy, at, { t, language, timezone }),
        sought: [name, description ?? '', ...words].join('\n').toLocaleLowerCase(language),
      }
    })
  }, [policies, geographies, currencyCode, timezone, at, t, language])
  const found = items.filter(({ sought }) => sought.includes(text.trim().toLocaleLowerCase(language)))
  const show = useCallback((id: string | null) => onShow(id), [onShow])
  return (
    <>
      {items.length > few ? (
        <TextInput
          mt="md"
          aria-label={t('policies:public.search')}
          placeholder={t('policies:public.search')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <Text role="status" size="sm" c="dimmed" mt={found.length === 0 ? 'md' : 0}>
        {found.length === 0 ? t('policies:nothingFound.title') : ''}
      </Text>
      {publicStandings.map((standing) => {
        const ofThese = found.filter((item) => item.standing === standing)
        if (!ofThese.length) return null
        return (
          <section key={standing} className={styles['group']} aria-labelledby={`${heads}-${standing}`}>
            <Title order={2} id={`${heads}-${standing}`}>
              {t(`policies:public.group.${standing}`)}{' '}
              <span className={styles['count']}>{ofThese.length}</span>
            </Title>
            <ul className={styles['policies']}>
              {ofThese.map(({ sought: _sought, ...item }) => (
                <PublicPolicyItem key={item.id} {...item} isShown={item.id === shown} onShow={show} />
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
