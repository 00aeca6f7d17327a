import { Button, Text, Title } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MdsPolicy } from '#contract/mds-policy.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { mdsRuleWords } from './mds-rule-words.ts'
import { PublicPolicyMap } from './public-policy-map.tsx'
import { usePublicPolicies } from './use-public-policies.ts'
import styles from './view.module.css'

interface Props {
  regionId: string
  /** Now. */
  at: number
}

/** The policies that a city has published, in plain words, and where they hold. */
export function PublicPolicies({ regionId, at }: Props) {
  const { t, i18n } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const answer = usePublicPolicies(regionId)
  const policies = useMemo(() => answer.data?.policies ?? [], [answer.data])
  const geographies = useMemo(() => answer.data?.geographies ?? [], [answer.data])
  const names = useMemo(() => new Map(geographies.map(({ geography_id: id, name }) => [id, name])), [geographies])
  const shown = useMemo(() => {
    const ids = new Set(policies.filter(({ policy_id: id }) => chosen === null || id === chosen).flatMap(({ rules }) => rules.flatMap((rule) => rule.geographies)))
    return geographies.filter(({ geography_id: id }) => ids.has(id))
  }, [policies, geographies, chosen])
  const title = t('shell:pages.publicPolicies')
  const day = (ms: number): string => new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(ms)
  const dates = ({ start_date: start, end_date: end }: MdsPolicy): string => {
    if (end != null) return t('policies:public.fromUntil', { from: day(start), until: day(end) })
    return t(start > at ? 'policies:public.starting' : 'policies:public.from', { from: day(start) })
  }
  if (!answer.data || policies.length === 0)
    return (
      <PublicFrame title={title}>
        <ReadingPage>
          <PageHeader title={title} />
          {answer.isLoading ? <LoadingMessage isLoading /> : null}
          {answer.data || answer.error?.status === 404 ? <EmptyState title={t('policies:public.none.title')} icon={<IconFileOff />}>{t('policies:public.none.text')}</EmptyState> : null}
          {answer.error && answer.error.status !== 404 ? <FailedState error={answer.error} onRetry={() => void answer.refetch()} /> : null}
        </ReadingPage>
      </PublicFrame>
    )
  return (
    <PublicFrame title={title}>
      <div className={styles['publicTop']}>
        <section className={styles['publicList']} aria-label={t('policies:public.list')}>
          <Title order={1}>{title}</Title>
          <Text size="sm" c="dimmed">{t('policies:public.text')}</Text>
          {chosen === null ? null : <Button mt="sm" size="xs" variant="default" onClick={() => setChosen(null)}>{t('policies:public.showAll')}</Button>}
          <ul className={styles['policies']}>
            {policies.map((policy) => (
              <li key={policy.policy_id} className={styles['policy']} data-shown={policy.policy_id === chosen || undefined}>
                <Title order={2}>{policy.name}</Title>
                <Text size="sm" c="dimmed">{dates(policy)}</Text>
                {policy.description ? <Text size="sm" mt={4}>{policy.description}</Text> : null}
                <ul className={styles['changes']}>{mdsRuleWords(policy, { t, language: i18n.language, placeName: (id) => names.get(id) ?? null }).map((line) => <li key={line}>{line}</li>)}</ul>
                <Button mt="sm" size="compact-sm" variant="subtle" aria-pressed={policy.policy_id === chosen} onClick={() => setChosen(policy.policy_id === chosen ? null : policy.policy_id)}>{t(policy.policy_id === chosen ? 'policies:public.shown' : 'policies:public.show')}</Button>
              </li>
            ))}
          </ul>
        </section>
        <div className={styles['publicMap']}><PublicPolicyMap regionId={regionId} geographies={shown} /></div>
      </div>
    </PublicFrame>
  )
}
